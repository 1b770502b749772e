//! Analysis, engine, calculator, set-up, looks.

use fantoccini::key::Key;

use super::Page;

#[tokio::test(flavor = "multi_thread")]
async fn a_long_search_is_watched_and_stopped() {
    let Some(page) = Page::open("game=domineering&position=8x8").await else { return };
    page.click("#analyse").await;
    page.says("#progress", "nodes").await;
    page.says("#analyse", "Stop").await;
    // The page stays alive meanwhile.
    page.click("#tab-setup").await;
    page.click("#tab-analysis").await;
    page.click("#analyse").await;
    page.says("#verdict", "Not solved: stopped").await;
    page.says("#progress", "cancelled").await;
    // Moving away ends a search.
    page.click("#analyse").await;
    page.says("#progress", "nodes").await;
    page.point("a1").await;
    page.says("#analyse", "Analyse").await;
    for _ in 0..200 {
        if page.ask("api/status").await["searches"] == 0 {
            break;
        }
    }
    assert_eq!(page.ask("api/status").await["searches"], 0);
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn parts_values_and_winning_moves_are_shown() {
    let Some(page) = Page::open("").await else { return };
    page.click("#tour-skip").await;
    page.click("#analyse").await;
    page.says("#verdict", "wins").await;
    page.until("return document.querySelectorAll('#parts tbody tr').length > 3").await;
    page.until("return document.querySelectorAll('.win').length > 0 && document.querySelectorAll('.tint').length > 8").await;
    page.hover("[data-spot='a1']").await;
    page.says("#detail", "temperature").await;
    page.picture("analysis").await;
    page.click("#parts tbody tr:nth-child(2)").await;
    page.says("#thermograph h2", "Thermograph of B").await;
    page.click("#theme").await;
    page.until("return document.documentElement.dataset.theme === 'dark'").await;
    page.picture("analysis-dark").await;
    let dark = page.script("return getComputedStyle(document.body).backgroundColor").await;
    page.click("#theme").await;
    assert_ne!(page.script("return getComputedStyle(document.body).backgroundColor").await, dark);
    page.visit("game=chess&position=").await;
    page.click("#analyse").await;
    page.says("#verdict", "proved").await;
    page.click("#theme").await;
    page.picture("chess-dark").await;
    page.click("#theme").await;
    page.visit("game=domineering&position=..%23|..%23").await;
    page.click("#analyse").await;
    page.says("#verdict", "begins").await;
    // A winning move is a button.
    page.click(".good button:enabled").await;
    page.says("#message", "Right has no move: Left wins.").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_engine_plays_hints_and_takes_back() {
    let Some(page) = Page::open("game=nim&position=3,5,7").await else { return };
    page.click("#tab-play").await;
    page.click("#hint").await;
    page.says("#engine-says", "Try").await;
    page.until("return document.querySelectorAll('.win-dot.hint').length === 1").await;
    assert_eq!(page.script("return document.querySelector('#clocks').hidden").await, true);
    page.choose("#opponent", "Right").await;
    page.until("return !document.querySelector('#clocks').hidden").await;
    page.says("#clock-left.running time", "0:01").await;
    page.point("a3").await;
    page.says("#engine-says", "Right played").await;
    page.says("#message", "Left to play").await;
    page.until("return document.querySelector('#clock-left.running') && !document.querySelector('#clock-right.running')")
        .await;
    page.picture("play").await;
    page.click("#takeback").await;
    page.until("return document.querySelector('[aria-selected=true][data-node]').dataset.node === '0'").await;
    // Both sides to the end.
    page.choose("#opponent", "both").await;
    page.click("#last").await;
    page.says("#message", "wins").await;
    page.until("return !document.querySelector('.clocks .running')").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn marks_are_written_and_a_forgotten_session_is_opened_again() {
    let Some(page) = Page::open("game=domineering&position=4x4").await else { return };
    page.point("a1").await;
    page.write("#mark-spot", "d4").await;
    page.write("#mark-text", "!").await;
    page.click("#mark-form button").await;
    page.until(
        "return [...document.querySelectorAll('#board text')].some((text) => text.textContent === '!')",
    )
    .await;
    page.write("#mark-spot", "z9").await;
    page.click("#mark-form button").await;
    page.says("#toast", "There is no z9").await;
    // A second variation; then the server forgets everything.
    page.click("#back").await;
    page.until("return document.querySelector('[aria-selected=true][data-node]').dataset.node === '0'").await;
    page.point("c3").await;
    page.until("return document.querySelectorAll('[data-node]').length === 3 && (sessionStorage.getItem('record') ?? '').split('(').length === 4").await;
    let forget = "await (await import('./api.js')).remove('api/sessions/' + sessionStorage.getItem('session')); return 0";
    page.promised(forget).await;
    page.click("#first").await;
    page.says("#toast", "opened again").await;
    page.until("return document.querySelectorAll('[data-node]').length === 3").await;
    // The same when the page is loaded again.
    page.promised(forget).await;
    page.script("location.reload(); return 0").await;
    page.until("return document.body.dataset.ready && document.querySelectorAll('[data-node]').length === 3")
        .await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_calculator_remembers_and_draws() {
    let Some(page) = Page::open("").await else { return };
    page.click("#tour-skip").await;
    let enter = char::from(Key::Enter).to_string();
    page.click("#tab-calc").await;
    for (line, answer) in [("g := {3|{1|-2}}", "3||1|-2"), ("mean(g)", "5/4"), ("^ > *", "false")] {
        page.write("#line", line).await;
        page.keys("#line", &enter).await;
        page.says("#history li:first-child .said", answer).await;
    }
    page.click("#history li:last-child").await;
    page.until("return document.querySelectorAll('#calc-picture .wall').length > 1 && document.querySelectorAll('.options text').length > 3").await;
    page.picture("calculator").await;
    page.write("#line", "{1|").await;
    page.keys("#line", &enter).await;
    page.says("#calc-error", "expected").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn positions_are_pasted_and_painted() {
    let Some(page) = Page::open("game=clobber&position=xo.|.ox").await else { return };
    page.click("#tab-setup").await;
    page.write("#position", "xo|x").await;
    page.click("#position-form .primary").await;
    page.says("#position-error", "row 2").await;
    page.picture("bad-position").await;
    page.write("#position", "xoo\noxx").await;
    page.click("#position-form .primary").await;
    page.until("return new URLSearchParams(location.hash.slice(1)).get('position') === 'xoo|oxx'").await;
    page.click("#palette button:nth-child(2)").await;
    page.point("b2").await;
    page.until("return new URLSearchParams(location.hash.slice(1)).get('position') === 'xoo|o.x'").await;
    // The address is enough to come back.
    let hash = page.script("return location.hash.slice(1)").await;
    page.script("sessionStorage.clear()").await;
    page.visit(hash.as_str().unwrap()).await;
    assert_eq!(page.view().await["position"], "xoo|o.x");
    page.visit("game=clobber&position=nonsense").await;
    page.says("#toast", "expected").await;
    // The other way round: pieces of chess are painted as well.
    page.visit("game=chess&position=8/8/8/4k3/4Pp2/5K2/8/8 b - - 0 1").await;
    page.says("#message", "Black to play").await;
    page.click("#tab-setup").await;
    page.click("#palette button:nth-child(3)").await;
    page.point("a7").await;
    page.until("return location.hash.includes('P7')").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_phone_has_room_for_everything() {
    let Some(page) = Page::open_phone("game=go&position=").await else { return };
    page.click("#analyse").await;
    page.says("#verdict", "Score").await;
    page.script("scrollTo(0, 0)").await;
    page.picture("phone").await;
    page.script("document.querySelector('.side').scrollIntoView()").await;
    page.picture("phone-analysis").await;
    page.close().await;
}

/// `cargo test --release -p gb-web --test it -- --ignored --nocapture figures`
#[tokio::test(flavor = "multi_thread")]
#[ignore = "prints figures for docs/performance.md"]
async fn figures_of_the_page() {
    let Some(page) = Page::open("game=domineering&position=8x8").await else { return };
    // One line of text from the same server is the least that this browser takes on this machine.
    for (what, path) in [("one line of text", "nothing"), ("the page", "#game=domineering&position=8x8")] {
        let mut paints = vec![];
        for _ in 0..15 {
            page.client.goto("about:blank").await.unwrap();
            page.client.goto(&format!("http://{}/{path}", page.address)).await.unwrap();
            let paint = "return Math.round(performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0)";
            paints.push(page.until(&format!("{paint} || null")).await.as_u64().unwrap_or(0));
        }
        // The first ones warm the browser up.
        let warm = &mut paints[3..];
        warm.sort_unstable();
        println!(
            "first paint of {what}: {} ms at best, {} ms half of the time",
            warm[0],
            warm[warm.len() / 2]
        );
    }
    page.visit("game=domineering&position=8x8").await;
    let size = "const all = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]; \
                return all.filter((e) => !e.name.includes('/api/')).reduce((sum, e) => sum + e.decodedBodySize, 0)";
    println!("page {} bytes", page.script(size).await);
    let mut usable = vec![];
    for _ in 0..12 {
        page.visit("game=domineering&position=8x8").await;
        let marks = "const at = performance.getEntriesByName('usable')[0].startTime; \
            const sent = [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]; \
            const before = sent.filter((e) => e.startTime < at && !e.name.includes('/api/')); \
            return [Math.round(at), before.reduce((sum, e) => sum + e.decodedBodySize, 0)]";
        let (time, bytes): (u64, u64) = serde_json::from_value(page.script(marks).await).unwrap();
        usable.push((time, bytes));
    }
    usable.sort_unstable();
    println!(
        "a board to play on after {} ms at best, {} ms half of the time, with {} bytes",
        usable[0].0,
        usable[usable.len() / 2].0,
        usable[0].1
    );
    page.click("#analyse").await;
    page.says("#progress", "nodes").await;
    let clicks = "const times = []; const path = 'api/sessions/' + sessionStorage.getItem('session'); \
        const api = await import('./api.js'); const ask = (body) => api.ask(path, body); \
        for (let i = 0; i < 40; i++) { const t = performance.now(); await ask(i % 2 ? { command: 'back' } : { command: 'play', text: 'a1-a2' }); times.push(performance.now() - t); } \
        times.sort((a, b) => a - b); return times.map((t) => Math.round(t * 10) / 10)";
    let times = page.promised(clicks).await;
    println!("clicks while a search runs: median {} ms, slowest {} ms", times[20], times[39]);
    // The line of text was an answer that there is nothing.
    drop(page.complaints().await);
    page.close().await;
}
