// @ts-check
/**
 * Lets the page be painted before it is brought to life. A frame that nobody sees is not waited for.
 */
const begin = () => import("./app.js");
if (document.hidden) begin();
else requestAnimationFrame(() => setTimeout(begin));
