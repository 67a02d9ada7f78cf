// Elements in one line: h("button", { class: "quiet", onclick: run }, "Run").

type Child = Node | string | null | undefined | false;
type Attributes = Record<string, unknown>;

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set(element, attributes);
  append(element, children);
  return element;
}

export function svg(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  append(element, children);
  return element;
}

function set(element: HTMLElement, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value as EventListener);
    else if (name in element && typeof value !== "string") (element as unknown as Attributes)[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
}

function append(element: Element, children: Child[]): void {
  for (const child of children) if (child) element.append(child);
}

export function replace(element: Element, ...children: Child[]): void {
  element.replaceChildren(...(children.filter(Boolean) as (Node | string)[]));
}

// Drawn on a grid of 16.
const icons: Record<string, string> = {
  play: "M4 2.5v11l9-5.5z",
  pause: "M4 3h3v10H4zM9 3h3v10H9z",
  first: "M3 3h2v10H3zM13 3v10L6 8z",
  last: "M11 3h2v10h-2zM3 3v10l7-5z",
  back: "M11 3v10L4 8z",
  next: "M5 3v10l7-5z",
  loop: "M4 6V4h6V2l3 3-3 3V6H6v3H4zM12 10v2H6v2l-3-3 3-3v2h4V7h2z",
  open: "M2 3h4l1.5 2H14v8H2zM3.5 6.5v5h9v-5z",
  save: "M7 2h2v6h2.5L8 11.5 4.5 8H7zM3 12h10v2H3z",
  body: "M8 1.2a1.8 1.8 0 110 3.6 1.8 1.8 0 010-3.6zM4 5.6h8v1.5l-2.4.4.9 7.2H9L8 10.5 7 14.7H5.5l.9-7.2L4 7.1z",
  link: "M6.5 9.5l3-3M5 8L3.6 9.4a2.1 2.1 0 003 3L8 11M8 5l1.4-1.4a2.1 2.1 0 013 3L11 8",
  camera: "M2 4.5h3l1-1.5h4l1 1.5h3V13H2zM8 6a2.6 2.6 0 100 5.2A2.6 2.6 0 008 6z",
  film: "M2 3.5h9v9H2zM11 7l3-2v6l-3-2z",
  theme: "M8 2a6 6 0 100 12A6 6 0 008 2zm0 1.5v9a4.5 4.5 0 010-9z",
  undo: "M6 3L2.5 6.5 6 10V7.5h3.5a2 2 0 010 4H6V13h3.5a3.5 3.5 0 000-7H6z",
  close: "M4 4l8 8M12 4l-8 8",
  eye: "M1.5 8C3 5 5.3 3.5 8 3.5S13 5 14.5 8c-1.5 3-3.8 4.5-6.5 4.5S3 11 1.5 8zM8 6a2 2 0 100 4 2 2 0 000-4z",
  follow: "M8 1v3M8 12v3M1 8h3M12 8h3M8 5.5a2.5 2.5 0 100 5 2.5 2.5 0 000-5z",
  more: "M2.5 7h2v2h-2zM7 7h2v2H7zM11.5 7h2v2h-2z",
  fit: "M2 6V2h4M10 2h4v4M14 10v4h-4M6 14H2v-4",
  cut: "M3 13L12 3M13 13L4 3",
  swap: "M3 5h8V3l3 3-3 3V7H3zM13 11H5v2l-3-3 3-3v2h8z",
  trash: "M3 4h10M6 4V2.5h4V4M4.5 4l.6 9.5h5.8l.6-9.5",
  step: "M3 3h2v10H3zM7 3v10l6-5z",
  reset: "M8 3a5 5 0 105 5h-1.6A3.4 3.4 0 118 4.6V7l3.5-3L8 1z",
};
const outlined = new Set(["link", "close", "fit", "cut", "follow", "trash"]);

export function icon(name: string): SVGElement {
  const drawn = outlined.has(name)
    ? svg("path", { d: icons[name], fill: "none", stroke: "currentColor", "stroke-width": 1.5, "stroke-linecap": "round", "stroke-linejoin": "round" })
    : svg("path", { d: icons[name], fill: "currentColor", "fill-rule": "evenodd" });
  return svg("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, drawn);
}

/** A button with an icon; the title is what a screen reader says and what the pointer shows. */
export function iconButton(name: string, title: string, onclick: () => void, attributes: Attributes = {}): HTMLButtonElement {
  return h("button", { type: "button", class: "icon", title, "aria-label": title.replace(/ \(.*\)$/, ""), onclick, ...attributes }, icon(name) as unknown as Node);
}

export function save(bytes: BlobPart, name: string, type = "application/octet-stream"): void {
  const link = h("a", { href: URL.createObjectURL(new Blob([bytes], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
