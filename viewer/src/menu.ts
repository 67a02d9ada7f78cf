// Menus under a button: closed by Escape, by a click elsewhere, or by choosing.
import { h } from "./dom";

let close: (() => void) | null = null;

export function openMenu(button: HTMLElement, content: HTMLElement): void {
  const isSame = button.getAttribute("aria-expanded") === "true";
  close?.();
  if (isSame) return;
  // Who came by keys goes back to the button; after a click the space bar plays, and does not open the menu again.
  const cameByKeys = button.matches(":focus-visible");
  button.setAttribute("aria-expanded", "true");
  place(button.title || button.textContent || "Menu", content, button.getBoundingClientRect(), button, (hadFocus) => {
    button.setAttribute("aria-expanded", "false");
    if (hadFocus) (cameByKeys ? button : picture())?.focus();
  });
}

/** A menu where the pointer is. */
export function openMenuAt(x: number, y: number, name: string, content: HTMLElement): void {
  close?.();
  place(name, content, new DOMRect(x, y, 0, 0), null, (hadFocus) => hadFocus && picture()?.focus());
}

const picture = (): HTMLElement | null => document.getElementById("picture");

function place(name: string, content: HTMLElement, at: DOMRect, button: HTMLElement | null, onClose: (hadFocus: boolean) => void): void {
  const menu = h("div", { class: "menu", role: "dialog", "aria-label": name }, content);
  document.body.append(menu);
  const { offsetWidth: width, offsetHeight: height } = menu;
  menu.style.left = `${Math.max(8, Math.min(at.left, innerWidth - width - 8))}px`;
  menu.style.top = `${at.bottom + 6 + height > innerHeight ? Math.max(8, at.top - height - 6) : at.bottom + 6}px`;
  const away = (event: Event): void => {
    if (event instanceof KeyboardEvent ? event.key === "Escape" : !menu.contains(event.target as Node) && !button?.contains(event.target as Node)) close?.();
  };
  close = () => {
    close = null;
    const hadFocus = menu.contains(document.activeElement);
    menu.remove();
    removeEventListener("pointerdown", away, true);
    removeEventListener("keydown", away, true);
    onClose(hadFocus);
  };
  addEventListener("pointerdown", away, true);
  addEventListener("keydown", away, true);
  menu.querySelector<HTMLElement>("button, select, input")?.focus();
}

export function closeMenu(): void {
  close?.();
}

/** A line of a menu that does something and closes it. */
export function item(text: string, hint: string, run: () => void, isDisabled = false): HTMLElement {
  return h("button", { type: "button", class: "item", disabled: isDisabled, onclick: () => { closeMenu(); run(); } }, text, hint ? h("small", {}, hint) : null);
}

/** A switch in a menu. */
export function check(text: string, hint: string, isOn: boolean, set: (isOn: boolean) => void): HTMLElement {
  const box = h("input", { type: "checkbox", checked: isOn, onchange: () => set(box.checked) });
  return h("label", { class: "item" }, box, text, hint ? h("small", {}, hint) : null);
}
