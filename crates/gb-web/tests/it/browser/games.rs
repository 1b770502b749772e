//! Every game of the list: opened, played, analysed.

use super::Page;

#[tokio::test(flavor = "multi_thread")]
async fn every_game_is_opened_played_and_analysed() {
    let Some(page) = Page::open("game=nim&position=3,4").await else { return };
    page.script("document.querySelector('#time').append(new Option('1 s', '1'))").await;
    page.choose("#time", "1").await;
    let mut names = gb_games::NAMES.iter().map(|name| gb_games::info(name).unwrap().name).collect::<Vec<_>>();
    names.extend(["go".to_owned(), gb_engine::SUM.to_owned()]);
    page.click("#choose").await;
    page.find("[data-game='go']").await;
    page.picture("games").await;
    page.script("document.querySelector('#games').close()").await;
    for name in names {
        page.click("#choose").await;
        page.click(&format!("[data-game='{name}']")).await;
        let shown = page.script("return new URLSearchParams(location.hash.slice(1)).get('game')").await;
        if shown != name.as_str() {
            page.until(&format!(
                "return new URLSearchParams(location.hash.slice(1)).get('game') === '{name}'"
            ))
            .await;
        }
        let view = page.view().await;
        let moves = view["moves"].as_array().unwrap();
        let mv = moves.iter().find(|m| m["gesture"].as_array().is_some_and(|g| !g.is_empty())).unwrap();
        for spot in mv["gesture"].as_array().unwrap() {
            page.point(spot.as_str().unwrap()).await;
            if page.view().await["tree"].as_array().unwrap().len() > 1 {
                break;
            }
        }
        page.until("return document.querySelectorAll('[data-node]').length === 2").await;
        page.click("#analyse").await;
        page.until("return document.querySelector('#analyse').textContent === 'Analyse'").await;
        page.says("#verdict", ".").await;
        page.picture(&format!("game-{}", name.replace(['(', ')'], "-"))).await;
    }
    page.close().await;
}
