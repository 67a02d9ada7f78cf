// What to believe of a body: a word, the first reason, what to do; and everything else that the library says, each thing once.
import { h } from "../dom";
import type { BodyData, JudgementData } from "../protocol";

type Finding = JudgementData["items"][number];

const words: Record<string, { title: string; advice: string }> = {
  green: { title: "Green: good to use.", advice: "" },
  amber: { title: "Amber: look before you use it.", advice: "Look at what is named: click it, play it, correct its label or leave it out." },
  red: { title: "Red: do not use it as it is.", advice: "Correct labels, solve by another method, or capture it again." },
};

/** `show` is told of the finding that was clicked. */
export function judgement(body: BodyData, show: (item: Finding) => void): HTMLElement {
  const items = body.judgement?.items ?? [];
  const verdict = body.judgement?.verdict ?? "green";
  const { title, advice } = words[verdict] ?? words.green;
  const reason = verdict === "green" ? null : (items.find((item) => item.verdict === verdict) ?? null);
  const groups = alike(items.filter((item) => item !== reason), ({ sentence }) => sentence, (item) => nameOf(item, body));
  const button = (item: Finding, text: string): HTMLElement => h("button", { type: "button", class: "link", onclick: () => show(item) }, text);
  return h("div", { class: `judgement ${verdict}` }, h("span", { class: "light", "aria-hidden": "true" }), h("div", {},
    body.judgement ? h("p", {}, h("b", {}, title)) : null,
    reason ? h("p", {}, button(reason, capital(reason.sentence) + (/[.?!]$/.test(reason.sentence) ? "" : "."))) : null,
    reason ? h("p", { class: "aside" }, advice) : null,
    h("p", {}, body.residual ? facts(body.residual, reason).map((text) => `${text}. `).join("") : `${body.title}. ${body.summary} `, h("span", { class: "aside" }, `Solved here in ${body.seconds.toFixed(2)} s.`)),
    groups.length ? h("details", {}, h("summary", {}, `${groups.length} thing${groups.length === 1 ? "" : "s"} to know`),
      h("ul", { class: "notes" }, ...groups.map(([first, ...others]) => h("li", {}, button(first, first.sentence),
        ...others.flatMap((item, n) => [n ? ", " : "; also ", button(item, also(item, body))]))))) : null));
}

function facts({ rms, outlierShare, lostFrames }: NonNullable<BodyData["residual"]>, reason: Finding | null): string[] {
  return [
    reason?.sentence.startsWith("markers lie") ? "" : `Markers lie ${(1000 * rms).toFixed(1)} mm (rms) from the body`,
    outlierShare > 0.001 ? `${(100 * outlierShare).toFixed(1)} % outliers` : "",
    lostFrames ? `${lostFrames} frame${lostFrames === 1 ? " shows" : "s show"} too little` : "",
  ].filter(Boolean);
}

const capital = (text: string): string => text[0].toUpperCase() + text.slice(1);

/** The word of the sentence that names the joint; of a marker the sentence itself starts with it. */
function nameOf({ joint, marker, sentence }: Finding, body: BodyData): string {
  if (marker >= 0) return sentence.split(" ")[0];
  return body.joints[joint]?.name ?? "";
}

function also(item: Finding, body: BodyData): string {
  const length = /\d+(\.\d+)? mm/.exec(item.sentence)?.[0];
  return nameOf(item, body) + (length ? ` (${length})` : "");
}

/** Things that say the same of another name or with other numbers, together, in the order of the first of them. */
export function alike<T>(things: T[], text: (thing: T) => string, name: (thing: T) => string): T[][] {
  const groups = new Map<string, T[]>();
  for (const thing of things) {
    const own = name(thing);
    const key = (own ? text(thing).replaceAll(own, "@") : text(thing)).replace(/\d+(\.\d+)?/g, "#");
    groups.set(key, [...(groups.get(key) ?? []), thing]);
  }
  return [...groups.values()];
}
