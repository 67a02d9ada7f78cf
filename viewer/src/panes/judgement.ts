// How well the body explains the markers, in one sentence, and what the library holds against it.
import { h } from "../dom";
import type { BodyData, JudgementData } from "../protocol";

type Finding = JudgementData["items"][number];

/** `show` is told of the finding that was clicked. */
export function judgement(body: BodyData, show: (item: Finding) => void): HTMLElement {
  const items = body.judgement?.items ?? [];
  return h("div", { class: `judgement ${body.judgement?.verdict ?? "green"}` }, h("span", { class: "light", "aria-hidden": "true" }), h("div", {},
    h("p", {}, body.residual ? `${words(body, body.residual).join("; ")}. ` : `${body.title}. ${body.summary} `, h("span", { class: "aside" }, `Solved here in ${body.seconds.toFixed(2)} s.`)),
    items.length ? h("details", {}, h("summary", {}, `${items.length} thing${items.length === 1 ? "" : "s"} to know`),
      h("ul", { class: "notes" }, ...items.map((item) => h("li", {}, h("button", { type: "button", class: "link", onclick: () => show(item) }, item.sentence))))) : null));
}

function words(body: BodyData, { rms, outlierShare, lostFrames }: NonNullable<BodyData["residual"]>): string[] {
  const doubtful = body.joints.filter((j) => j.isUncertain).length;
  return [
    `Markers lie ${(1000 * rms).toFixed(1)} mm (rms) from the body`,
    outlierShare > 0.001 ? `${(100 * outlierShare).toFixed(1)} % outliers` : "",
    lostFrames ? `${lostFrames} frame${lostFrames === 1 ? " shows" : "s show"} too little` : "",
    doubtful ? `${doubtful} joint${doubtful === 1 ? " is" : "s are"} doubtful` : "every joint is determined",
  ].filter(Boolean);
}
