// @ts-check
/** Lets the page be painted before it is brought to life; a page that nobody sees is not painted, and not waited for. */
let begun = false;
const begin = () => {
  if (begun) return;
  begun = true;
  document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href: "more.css" }));
  import("./app.js");
};
new PerformanceObserver(begin).observe({ type: "paint", buffered: true });
setTimeout(begin, document.hidden ? 0 : 250);
