// @ts-check
/* No module, because browsers load no modules from files: they would leave the page empty without a word. */
if (location.protocol === "file:") {
  addEventListener("DOMContentLoaded", () => {
    const message = document.getElementById("message");
    if (message) message.textContent = "This page has to come from a web server: try `python3 -m http.server` in its folder, and open the address that it prints.";
  });
}
