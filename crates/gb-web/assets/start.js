// @ts-check
/** Lets the page be painted before it is brought to life; a page that nobody sees is not painted, and not waited for. */
let begun = false;
const begin = () => {
  if (!begun) import("./app.js");
  begun = true;
};
new PerformanceObserver(begin).observe({ type: "paint", buffered: true });
setTimeout(begin, document.hidden ? 0 : 250);
