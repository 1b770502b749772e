//! Proofs on the page: made, checked, and played against.

use super::Page;

#[tokio::test(flavor = "multi_thread")]
async fn a_position_is_proved_and_played_against_its_proof() {
    let Some(page) = Page::open("game=clobber&position=xoxo|oxox").await else { return };
    page.click("#prove").await;
    page.says("#proof-says", "Checked").await;
    page.says("#proof-says", "Left, moving first, wins").await;
    // The engine plays the winner, and says which fact answers.
    page.click("#tab-play").await;
    page.choose("#player", "proof").await;
    page.click("#engine").await;
    page.says("#engine-says", "proved in").await;
    page.says("#engine-says", "line").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_proved_is_said() {
    let Some(page) = Page::open("game=regio&position=....|....").await else { return };
    page.click("#prove").await;
    page.says("#proof-says", "regio counts points").await;
    page.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proof_plays_in_any_summand() {
    let Some(page) = Page::open("game=sum&position=clobber xo %2B nim 3 %2B *").await else { return };
    page.click("#tab-play").await;
    page.choose("#player", "proof").await;
    page.click("#engine").await;
    page.says("#engine-says", "proved in").await;
    page.close().await;
}
