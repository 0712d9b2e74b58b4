const KEY = "tooltest-token";
const token = () => sessionStorage.getItem(KEY) ?? "";
const bearer = () => (token() ? { Authorization: `Bearer ${token()}` } : {});

/** An element: its tag with classes (`p.soft`), its properties, its children. */
function h(tag, properties = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length > 0) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key in element && key !== "list" && key !== "form") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(9).filter((child) => child !== undefined && child !== null));
  return element;
}

/** Text in which `words` in backticks are code. */
function prose(text = "") {
  return text.split("`").map((part, index) => (index % 2 ? h("code", {}, part) : part));
}
