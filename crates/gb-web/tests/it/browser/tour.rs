//! The first visit.

use fantoccini::key::Key;

use super::Page;

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_here_for_the_first_time_is_shown_around() {
    let Some(page) = Page::open("").await else { return };
    page.says("#tour", "The board").await;
    page.picture("tour").await;
    // Everything can be used meanwhile.
    page.point("a1").await;
    page.says("#message", "Left played a1-a2").await;
    let marked = |id: &str| format!("return document.querySelector('.toured').id === '{id}'");
    for id in ["analyse", "choose", "tab-play", "tab-setup", "help"] {
        page.click("#tour-next").await;
        page.until(&marked(id)).await;
    }
    page.says("#tour-count", "6 of 6").await;
    page.click("#tour-next").await;
    page.until("return document.querySelector('#tour').hidden && !document.querySelector('.toured')").await;
    // Once is enough.
    page.visit("").await;
    page.until("return document.querySelector('#tour').hidden").await;
    // Unless somebody asks; then the keyboard is there, and comes back.
    page.click("#help").await;
    page.click("#tour-again").await;
    page.says("#tour", "The board").await;
    page.until("return document.activeElement.id === 'tour-next'").await;
    page.press(&char::from(Key::Right).to_string()).await;
    page.until(&marked("analyse")).await;
    page.press(&char::from(Key::Left).to_string()).await;
    page.until(&marked("board")).await;
    page.press(&char::from(Key::Escape).to_string()).await;
    page.until("return document.querySelector('#tour').hidden && document.activeElement.id === 'help'").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_leads_to_what_it_says_without_a_tour() {
    let Some(page) = Page::open_phone("game=nim&position=3,5").await else { return };
    page.says("#game-title", "Nim").await;
    page.until("return document.querySelector('#tour').hidden").await;
    // On a phone nothing that is spoken of is covered.
    page.script("document.querySelector('#help').click(); document.querySelector('#tour-again').click()")
        .await;
    page.click("#tour-next").await;
    page.until("const [a, b] = ['#analyse', '#tour'].map((e) => document.querySelector(e).getBoundingClientRect()); return a.bottom <= b.top").await;
    page.picture("tour-phone").await;
    page.click("#tour-skip").await;
    page.until("return document.querySelector('#tour').hidden").await;
    page.close().await;
}
