//! What hands expect of a board: dragging, drawing, keys, undoing, and no move that nobody meant.

use fantoccini::key::Key;

use super::Page;

fn key(key: Key) -> String {
    char::from(key).to_string()
}

const AT: &str = "document.querySelector('[aria-selected=true][data-node]').dataset.node";

#[tokio::test(flavor = "multi_thread")]
async fn moves_are_dragged_and_arrow_keys_walk_after_a_click() {
    let Some(page) = Page::open("game=clobber&position=xox|oxo").await else { return };
    page.drag("a1", "b1", 0).await;
    page.says("#message", "Left played a1-b1").await;
    page.until("return document.querySelectorAll('.last-move').length === 2").await;
    // A drag that is no move changes nothing.
    page.drag("c1", "a2", 0).await;
    page.says("#message", "That is no move").await;
    page.point("c2").await;
    page.point("c1").await;
    page.has_nodes(3).await;
    // The last click was on the board, and the keys walk the tree.
    page.press(&key(Key::Left)).await;
    page.until(&format!("return {AT} === '1'")).await;
    page.press(&key(Key::Home)).await;
    page.until(&format!("return {AT} === '0'")).await;
    // So they do after a tab was clicked.
    page.click("#tab-play").await;
    page.press(&key(Key::Right)).await;
    page.until(&format!("return {AT} === '1'")).await;
    assert_eq!(page.script("return document.querySelector('#panel-play').hidden").await, false);
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_right_button_draws_and_the_board_is_flipped() {
    let Some(page) = Page::open("game=clobber&position=xox|oxo").await else { return };
    page.drag("a1", "c2", 2).await;
    page.drag("b1", "b1", 2).await;
    page.until("return document.querySelectorAll('#sketch .ring').length === 1 && document.querySelectorAll('#sketch polygon').length === 1").await;
    page.has_nodes(1).await;
    page.picture("drawn").await;
    // The same again takes it away.
    page.drag("b1", "b1", 2).await;
    page.until("return document.querySelectorAll('#sketch .ring').length === 0").await;
    let left = "return Math.round(document.querySelector('[data-spot=a1]').getBoundingClientRect().left - document.querySelector('[data-spot=c1]').getBoundingClientRect().left)";
    let before = page.script(left).await.as_i64().unwrap();
    assert!(before < 0);
    page.press("f").await;
    page.until(&format!("{left} === {}", -before)).await;
    page.point("a1").await;
    page.point("b1").await;
    page.says("#message", "Left played a1-b1").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_mark_lists_the_keys_and_they_work() {
    let Some(page) = Page::open("game=nim&position=3,4").await else { return };
    page.press("?").await;
    page.until("return document.querySelector('#keys').open").await;
    page.says("#key-list", "flip the board").await;
    page.says("#word-list", "temperature").await;
    page.picture("keys").await;
    page.press(&key(Key::Escape)).await;
    page.until("return !document.querySelector('#keys').open").await;
    page.press("a").await;
    page.says("#verdict", "wins").await;
    page.press("h").await;
    page.says("#toast", "Try").await;
    page.press("/").await;
    page.until("return document.activeElement.id === 'move'").await;
    // In a field, letters are letters.
    page.press("af").await;
    assert_eq!(page.script("return document.querySelector('#move').value").await, "af");
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_change_is_undone_and_made_again() {
    let Some(page) = Page::open("game=domineering&position=4x4").await else { return };
    page.point("a1").await;
    page.has_nodes(2).await;
    page.point("c1").await;
    page.has_nodes(3).await;
    page.click("#delete").await;
    page.has_nodes(2).await;
    page.click("#undo").await;
    page.has_nodes(3).await;
    page.script("document.activeElement.blur(); return 0").await;
    page.press("u").await;
    page.has_nodes(2).await;
    page.press("r").await;
    page.has_nodes(3).await;
    // What was painted, too; a stroke is one step.
    page.visit("game=domineering&position=3x3").await;
    page.click("#tab-setup").await;
    page.click("#palette button:nth-child(2)").await;
    page.drag("a1", "a3", 0).await;
    let position = |text: &str| {
        format!("return new URLSearchParams(location.hash.slice(1)).get('position') === '{text}'")
    };
    page.until(&position("#..|...|#..")).await;
    page.click("#column-more").await;
    page.until(&position("#...|....|#...")).await;
    page.click("#row-less").await;
    page.until(&position("#...|....")).await;
    for text in ["#...|....|#...", "#..|...|#..", "...|...|..."] {
        page.click("#undo").await;
        page.until(&position(text)).await;
    }
    page.click("#undo").await;
    page.says("#toast", "nothing to undo").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_double_click_makes_no_move_that_nobody_meant() {
    let Some(page) = Page::open("game=nim&position=3,5,7").await else { return };
    // On a heap: one move, not two.
    page.double_click("[data-spot='c7']").await;
    page.has_nodes(2).await;
    page.says("#message", "Left played").await;
    page.visit("game=domineering&position=..%23...%23..|..%23.%23.%23..|%23%23%23...%23%23.|...%23%23.%23..|.%23.%23%23.%23.%23").await;
    page.click("#analyse").await;
    page.says("#verdict", "wins").await;
    // On the row of a part: its thermograph, and no move.
    page.double_click("#parts tbody tr:nth-child(3)").await;
    page.says("#thermograph h2", "Thermograph of C").await;
    page.double_click("#parts .chip").await;
    page.says("#thermograph h2", "Thermograph of A").await;
    page.has_nodes(1).await;
    // On a move: that move, once.
    page.double_click("#options tr.option .follow").await;
    page.has_nodes(2).await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fingers_drag_and_tap_on_a_phone() {
    let Some(page) = Page::open_phone("game=clobber&position=xox|oxo").await else { return };
    let touch = "const box = (spot) => { const r = document.querySelector(`[data-spot=${spot}]`).getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2]; }; \
        const send = (type, spot) => { const [x, y] = box(spot); (document.elementFromPoint(x, y) ?? document.body).dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 5, pointerType: 'touch', isPrimary: true, button: 0, clientX: x, clientY: y })); }; \
        send('pointerdown', 'a1'); send('pointermove', 'a2'); send('pointerup', 'a2'); return getComputedStyle(document.querySelector('[data-spot=a1]')).touchAction";
    // What can be dragged does not scroll the page.
    assert_eq!(page.script(touch).await, "none");
    page.says("#message", "Left played a1-a2").await;
    page.point("b1").await;
    page.point("c1").await;
    page.has_nodes(3).await;
    // Everything can be hit with a finger, and the button that matters most is to be seen.
    let small = "return [...document.querySelectorAll('.bar button, .bar .button, .controls button, .row button, .row select, .tabs button')].filter((e) => e.offsetParent && e.getBoundingClientRect().height < 39.5).map((e) => e.id || e.textContent)";
    assert_eq!(page.script(small).await, serde_json::json!([]));
    page.picture("phone-hands").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn heaps_grow_and_shrink() {
    let Some(page) = Page::open("game=nim&position=3,1").await else { return };
    page.click("#tab-setup").await;
    let position = |text: &str| {
        format!("return new URLSearchParams(location.hash.slice(1)).get('position') === '{text}'")
    };
    page.click("[data-heap=more-0]").await;
    page.until(&position("4,1")).await;
    page.click("#heap-more").await;
    page.until(&position("4,1,1")).await;
    page.click("[data-heap=less-1]").await;
    page.until(&position("4,1")).await;
    page.visit("game=clobber&position=xo").await;
    assert_eq!(page.script("return document.querySelector('#heap-box').hidden").await, true);
    page.close().await;
}
