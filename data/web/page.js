// Draws a campaign: from the data in the page (a report) or from the server that it came from
// (the dashboard). Whatever comes from a campaign is put into the page as text, never as markup.
"use strict";

// What stands beside the axes of plots: the rules of src/base/axis.h, which the plots of experiments
// follow; tests/axes.json has cases that both must satisfy.
const plotRules = (() => {
  const kMostSteps = 5;
  const kLabelWidth = 90;  // of the time axis, in pixels
  const kSlack = 1e-9;
  const kMinute = 60, kHour = 3600, kDay = 86400;
  const kTimeSteps = [1, 2, 5, 10, 20, 30, kMinute, 2 * kMinute, 300, 600, 1200, 1800, kHour, 2 * kHour,
                      4 * kHour, 6 * kHour, 12 * kHour, kDay, 2 * kDay, 4 * kDay, 7 * kDay];

  const roundStep = (span, steps) => {
    const raw = span / steps;
    const unit = Math.pow(10, Math.floor(Math.log10(raw)));
    return [1, 2, 5, 10].map((factor) => factor * unit).find((step) => step >= raw * (1 - kSlack)) || 10 * unit;
  };
  const plain = (value, decimals) => String(Number(value.toFixed(decimals)));

  const valueAxis = (most, isCount) => {
    if (!(most > 0)) return { step: 1, most: 1 };
    const round = roundStep(most, kMostSteps);
    const step = isCount ? Math.max(round, 1) : round;
    return { step, most: step * Math.ceil(most / step - kSlack) };
  };
  const timeAxis = (end, width) => {
    const most = Math.max(end, 1);
    const labels = Math.max(2, Math.floor(width / kLabelWidth));
    const step = kTimeSteps.find((one) => most / one <= labels) || kDay * roundStep(most / kDay, labels);
    return { step, most };
  };
  const valueLabel = (value, axis) => {
    if (value === 0) return "0";
    if (axis.most >= 1e6) return `${plain(value / 1e6, 1)} M`;
    if (axis.most >= 1e4) return `${plain(value / 1e3, 1)} k`;
    if (axis.step >= 1) return Math.round(value).toLocaleString("en");
    return plain(value, Math.ceil(-Math.log10(axis.step) - kSlack));
  };
  const timeLabel = (seconds, axis) => {
    if (seconds === 0) return "0";
    if (axis.step >= kDay) return `${plain(seconds / kDay, 1)} d`;
    if (axis.step >= kHour / 2) return `${plain(seconds / kHour, 1)} h`;
    return axis.step >= kMinute ? `${plain(seconds / kMinute, 1)} min` : `${plain(seconds, 1)} s`;
  };
  const ticks = (axis) => {
    const all = [];
    for (let i = 0; i * axis.step <= axis.most * (1 + kSlack); ++i) all.push(i * axis.step);
    return all;
  };
  return { valueAxis, timeAxis, valueLabel, timeLabel, ticks };
})();

(() => {
  const config = JSON.parse(document.getElementById("data").textContent);
  const isLive = config.mode === "live";
  const kPollMs = 2000;
  const kRowsAtFirst = 20;
  const kRowsMore = 100;
  const kOutcomes = config.outcomes;  // each with its colour

  const state = {
    campaigns: config.campaigns || [],
    current: 0, campaign: null, kind: "", solver: "", words: "", rows: kRowsAtFirst,
    open: new Set(), hidden: new Set(), tab: "engines", bugsShown: "", problem: "",
  };
  const details = new Map();

  // --- small things -------------------------------------------------------------------------

  const add = (element, children) => {
    for (const child of children.flat(Infinity)) {
      if (child === null || child === undefined || child === false) continue;
      element.append(child instanceof Node ? child : document.createTextNode(String(child)));
    }
    return element;
  };
  const set = (element, properties) => {
    for (const [name, value] of Object.entries(properties || {})) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (value !== null && value !== undefined) element.setAttribute(name, value);
    }
    return element;
  };
  const h = (tag, properties, ...children) =>
    add(set(document.createElement(tag), properties), children);
  const s = (tag, properties, ...children) =>
    add(set(document.createElementNS("http://www.w3.org/2000/svg", tag), properties), children);
  // Styles are set one by one: the policy of the page forbids style attributes.
  const styled = (element, styles) => {
    for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value);
    return element;
  };
  const swatch = (colour) => styled(h("i"), { background: `var(${colour})` });
  const kColours = 12;
  const colourOf = (index) => `--c${index % kColours}`;
  // A kind of bug has one colour everywhere, by its place among the kinds.
  const kindColour = (name) => colourOf(Math.max(0, Object.keys(config.kinds).indexOf(name)) + 1);
  // An engine keeps its colour from campaign to campaign, whoever else is at work.
  const kEngines = ["edit", "opfuzz", "typefuzz", "diver", "storm", "skeleton", "fusion", "generate"];
  const engineColour = (name) => {
    const place = kEngines.indexOf(name);
    if (place >= 0) return colourOf(place);
    return colourOf([...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 4, 0) + kEngines.length);
  };

  const whole = (n) => Math.round(n).toLocaleString("en");
  const short = (n) => {
    if (Math.abs(n) >= 1e6) return (n / 1e6).toFixed(n >= 1e7 ? 0 : 1) + " M";
    if (Math.abs(n) >= 1e4) return (n / 1e3).toFixed(n >= 1e5 ? 0 : 1) + " k";
    if (Math.abs(n) >= 100 || Number.isInteger(n)) return whole(n);
    return String(Number(n.toPrecision(2)));
  };
  const share = (part, all) => all > 0 ? 100 * part / all : 0;
  const kEnough = 10;  // a share of fewer says nothing
  const percent = (part, all) => {
    if (!(all >= kEnough)) return "–";
    const value = share(part, all);
    return value.toFixed(value > 0 && value < 10 || value > 99 && value < 100 ? 1 : 0) + "%";
  };
  const duration = (seconds) => {
    if (seconds < 120) return `${Math.round(seconds)} s`;
    if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
    if (seconds < 172800) return `${(seconds / 3600).toFixed(1)} h`;
    return `${(seconds / 86400).toFixed(1)} d`;
  };
  const clock = (seconds) => seconds > 0
    ? new Date(seconds * 1000).toISOString().replace("T", " ").slice(0, 16) + " UTC" : "never";
  const bytes = (n) => n < 10000 ? `${whole(n)} bytes` : `${short(n / 1000)} kB`;
  const plural = (n, word) => `${whole(n)} ${word}${n === 1 ? "" : "s"}`;

  // --- plots --------------------------------------------------------------------------------

  const waiting = [];

  // One plot over running time. `series`: [{name, colour, points: [[t, y]], shape}], shape being
  // line, area, step or stack (on top of the stacked ones before it).
  const plot = (spec) => {  // drawn by put(), once it has a width
    const box = h("figure", { class: "card plot", "data-plot": spec.name });
    styled(box, { margin: "0" });
    const all = spec.series.filter((one) => one.points.length > 0);
    add(box, [h("h3", {}, spec.title), h("div", { class: "note" }, spec.note || "")]);
    if (all.length === 0) return add(box, [h("p", { class: "empty" }, spec.empty || "Nothing counted yet.")]);
    const key = (one) => `${spec.name}/${one.name}`;
    const canvas = h("div");
    const read = h("div", { class: "read" });
    const legend = h("div", { class: "legend" });
    add(box, [canvas, read, legend]);
    let drawnWidth = 0;
    waiting.push(() => draw());
    const draw = () => {
      const width = canvas.clientWidth || 400;
      drawnWidth = width;
      const shown = all.filter((one) => !state.hidden.has(key(one)));
      canvas.replaceChildren(drawPlot(spec, shown, width, read));
    };
    const fillLegend = () => {
      if (all.length < 2) return;
      legend.replaceChildren(...all.map((one) => h("button", {
        type: "button", "aria-pressed": String(!state.hidden.has(key(one))),
        onclick: () => {
          if (!state.hidden.delete(key(one))) state.hidden.add(key(one));
          draw();
          fillLegend();
        },
      }, swatch(one.colour), one.name)));
    };
    fillLegend();
    // Drawing changes the layout, so not within the observer's own turn.
    new ResizeObserver(() => requestAnimationFrame(() => {
      if (canvas.clientWidth !== drawnWidth) draw();
    })).observe(canvas);
    return box;
  };

  const stacked = (shown) => {
    const below = new Map();
    return shown.map((one) => {
      if (one.shape !== "stack") return { ...one, base: null };
      const base = one.points.map(([t]) => [t, below.get(t) || 0]);
      const points = one.points.map(([t, y]) => [t, (below.get(t) || 0) + y]);
      points.forEach(([t, y]) => below.set(t, y));
      return { ...one, points, base, raw: one.points };
    });
  };

  const pathOf = (points, x, y, isStep) => points.map(([t, v], i) => {
    if (i === 0) return `M${x(t).toFixed(1)},${y(v).toFixed(1)}`;
    return isStep ? `H${x(t).toFixed(1)}V${y(v).toFixed(1)}` : `L${x(t).toFixed(1)},${y(v).toFixed(1)}`;
  }).join("");

  const drawPlot = (spec, shown, width, read) => {
    const height = 190, left = 44, right = 10, top = 8, bottom = 22;
    const layers = stacked(shown);
    const points = layers.flatMap((one) => one.points);
    const times = plotRules.timeAxis(Math.max(spec.end || 0, ...points.map(([t]) => t)), width);
    const values = plotRules.valueAxis(spec.most || Math.max(...points.map(([, v]) => v), 0), spec.isCount);
    const end = times.most;
    const x = (t) => left + (width - left - right) * t / end;
    const y = (v) => top + (height - top - bottom) * (1 - v / values.most);
    const beside = spec.label || ((v) => plotRules.valueLabel(v, values));
    const svg = s("svg", { viewBox: `0 0 ${width} ${height}`, height, role: "img", "aria-label": spec.title });
    for (const v of plotRules.ticks(values)) {
      add(svg, [s("line", { class: "grid", x1: left, x2: width - right, y1: y(v), y2: y(v) }),
                s("text", { x: left - 6, y: y(v) + 4, "text-anchor": "end" }, beside(v))]);
    }
    for (const t of plotRules.ticks(times)) {
      const anchor = t === 0 ? "start" : (x(t) > width - 24 ? "end" : "middle");
      add(svg, [s("text", { x: x(t), y: height - 6, "text-anchor": anchor }, plotRules.timeLabel(t, times))]);
    }
    for (const one of layers) drawLayer(svg, one, x, y);
    follow(svg, layers, { x, end, left, right, top, bottom, width, height, label: spec.label || short }, read);
    return svg;
  };

  const drawLayer = (svg, one, x, y) => {
    const path = pathOf(one.points, x, y, one.shape === "step");
    const colour = `var(${one.colour})`;
    if (one.shape === "area" || one.shape === "stack") {
      const floor = one.base || one.points.map(([t]) => [t, 0]);
      const back = pathOf(floor.slice().reverse(), x, y, false).replace(/^M/, "L");
      add(svg, [styled(s("path", { d: `${path}${back}Z` }),
                       { fill: colour, "fill-opacity": one.shape === "stack" ? ".75" : ".18" })]);
    }
    if (one.shape !== "stack") {
      add(svg, [styled(s("path", { d: path, fill: "none", "stroke-width": 2, "stroke-linejoin": "round" }),
                       { stroke: colour })]);
    }
    if (one.points.length === 1) {
      const [t, v] = one.points[0];
      add(svg, [styled(s("circle", { cx: x(t), cy: y(v), r: 3 }), { fill: colour })]);
    }
  };

  const valueAt = (one, t) => {
    const points = one.raw || one.points;
    let found = null;
    for (const point of points) {
      if (point[0] > t && found !== null) break;
      found = point;
    }
    return found;
  };

  // A line that follows the pointer, and the values there.
  const follow = (svg, layers, geometry, read) => {
    const { end, left, right, top, bottom, width, height, label } = geometry;
    const cross = s("line", { class: "cross", y1: top, y2: height - bottom, visibility: "hidden" });
    add(svg, [cross]);
    svg.addEventListener("pointermove", (event) => {
      const frame = svg.getBoundingClientRect();
      const place = (event.clientX - frame.left) * width / frame.width;
      const t = Math.min(end, Math.max(0, (place - left) / (width - left - right) * end));
      set(cross, { x1: geometry.x(t), x2: geometry.x(t), visibility: "visible" });
      const values = layers.map((one) => [one.name, valueAt(one, t)]).filter(([, point]) => point);
      read.textContent = `${duration(t)}: ` + values.map(([name, point]) =>
        layers.length > 1 ? `${name} ${label(point[1])}` : label(point[1])).join(", ");
    });
    svg.addEventListener("pointerleave", () => {
      set(cross, { visibility: "hidden" });
      read.textContent = "";
    });
  };

  const found = (bugs) => {
    const times = bugs.map((bug) => bug.found).sort((a, b) => a - b);
    return times.map((t, i) => [t, i + 1]);
  };
  // A count that has stayed the same since the last point still reaches the end of the plot.
  const reaching = (points, end) => points.length === 0 ? points
    : [[0, 0], ...points, [Math.max(end, points[points.length - 1][0]), points[points.length - 1][1]]];
  const summed = (series, values) => {
    let sum = 0;
    return [[0, 0], ...values.map((v, i) => [series.time[i] + series.width[i], sum += v])];
  };
  // A step in which the campaign hardly ran says nothing about its speed: it is joined to the next one,
  // and left out at the end.
  const perSecond = (series, values) => {
    const points = [];
    let from = null, width = 0, sum = 0;
    values.forEach((v, i) => {
      if (from === null) from = series.time[i];
      width += series.width[i];
      sum += v;
      if (width < series.step / 2 && (i + 1 < values.length || points.length > 0)) return;
      points.push([from + width / 2, sum / Math.max(width, 1)]);
      from = null;
      width = sum = 0;
    });
    return points;
  };
  const shares = (series, parts, wholes) => parts
    .map((part, i) => [series.time[i] + series.width[i] / 2, share(part, wholes[i]), wholes[i]])
    .filter(([, , all]) => all >= kEnough).map(([t, v]) => [t, v]);
  // What engines did in all their ways (storm, storm+options) together.
  const byEngine = (engines) => {
    const sums = new Map();
    for (const [name, values] of Object.entries(engines)) {
      const plain = name.split("+")[0];
      const before = sums.get(plain) || values.map(() => 0);
      sums.set(plain, values.map((v, i) => v + before[i]));
    }
    return [...sums].sort((a, b) => a[0] < b[0] ? -1 : 1);
  };

  const plots = (c) => {
    const series = c.series;
    const end = c.totals.seconds;
    const runs = series.time.map((_, i) => kOutcomes.reduce((sum, [name]) => sum + series.outcomes[name][i], 0));
    const kinds = [...new Set(c.bugs.map((bug) => bug.kind))];
    const bugLines = kinds.length < 2 ? []
      : kinds.map((kind) => ({ name: kind, colour: kindColour(kind), shape: "step",
          points: reaching(found(c.bugs.filter((bug) => bug.kind === kind)), end) }));
    const engines = byEngine(series.engines);
    const asPercent = (v) => `${Math.round(v)}%`;
    return h("div", { class: "plots" },
      plot({ name: "bugs", title: "Bugs", note: "distinct bugs found so far", end, isCount: true,
        empty: "No bug so far.",
        series: [{ name: "all", colour: "--c0", shape: "step", points: reaching(found(c.bugs), end) }, ...bugLines] }),
      plot({ name: "speed", title: "Tests per second", note: "each test is run by every solver in use", end,
        series: [{ name: "tests per second", colour: "--c0", shape: "area", points: perSecond(series, series.tests) }] }),
      plot({ name: "shares", title: "Accepted, decided, timed out", end, most: 100, label: asPercent,
        note: "tests that some solver accepts, tests with an answer of sat or unsat, runs that timed out",
        series: [
          { name: "accepted", colour: "--c2", shape: "line", points: shares(series, series.accepted, series.tests) },
          { name: "decided", colour: "--c0", shape: "line", points: shares(series, series.decided, series.tests) },
          { name: "timeouts", colour: "--c1", shape: "line", points: shares(series, series.outcomes.timeout, runs) }] }),
      plot({ name: "outcomes", title: "What solvers answer", note: "share of runs", end, most: 100, label: asPercent,
        series: kOutcomes.filter(([name]) => series.outcomes[name].some((v) => v > 0)).map(([name, colour]) =>
          ({ name, colour, shape: "stack", points: shares(series, series.outcomes[name], runs) })) }),
      plot({ name: "engines", title: "Tests by engine", note: "so far, in all ways of asking", end,
        series: engines.map(([name, values]) => ({ name, colour: engineColour(name), shape: "line", points: summed(series, values) })) }),
      plot({ name: "keys", title: "New behaviour", note: "edges of instrumented solvers; kinds of work in the statistics of others", end, isCount: true,
        empty: "No solver reported statistics.",
        series: Object.entries(series.keys).map(([name, values], i) => ({ name, colour: colourOf(i), shape: "step",
          points: values.map((v, j) => [series.time[j] + series.width[j], v]).filter(([, v]) => v > 0) })) }));
  };

  // --- tables -------------------------------------------------------------------------------

  const bar = (parts, all) => h("div", { class: "bar", role: "img",
    "aria-label": parts.map(([name, n]) => `${name} ${percent(n, all)}`).join(", ") },
    parts.filter(([, n]) => n > 0).map(([name, n, colour]) => styled(
      h("span", { title: `${name}: ${whole(n)} (${percent(n, all)})` }),
      { width: `${share(n, all)}%`, background: `var(${colour})` })));
  const keyOf = (parts) => h("div", { class: "key" }, parts.map(([name, colour]) => h("span", {}, swatch(colour), name)));
  const table = (heads, rows) => h("div", { class: "card scroll" }, h("table", {},
    h("thead", {}, h("tr", {}, heads.map((head) => h("th", head.wide ? { class: "wide" } : {}, head.text || head)))),
    h("tbody", {}, rows.map((cells) => h("tr", {}, cells.map((cell, i) =>
      h("td", heads[i].wide ? { class: "wide" } : {}, cell)))))));

  const testParts = [["decided", "--c0"], ["accepted, undecided", "--c6"], ["rejected by all", "--c1"]];
  const testBar = (row) => bar([["decided", row.decided, "--c0"],
    ["accepted, undecided", Math.max(0, row.accepted - row.decided), "--c6"],
    ["rejected by all", row.rejected, "--c1"]], row.tests);
  const reachedOf = ([reached, all]) => `${whole(reached)} of ${whole(all)} (${percent(reached, all)})`;
  const kEnoughCpu = 60;  // seconds
  const perHour = (n, cpu) => cpu >= kEnoughCpu ? short(Number((n * 3600 / cpu).toPrecision(3))) : "–";

  const yields = {
    nodes: ["Nodes", (c) => !c.nodes || c.nodes.length === 0 ? null : table(
      [{ text: "node" }, "standing", "tests", "per second", "bugs", "load", "jobs", "last heard", { text: "program", wide: true }],
      c.nodes.map((node) => [node.name, node.standing, whole(node.tests),
        node.standing === "alive" ? node.tests_per_second.toFixed(1) : "–", whole(node.bugs),
        node.standing === "alive" ? node.load.toFixed(1) : "–", whole(node.jobs), `${duration(node.silent)} ago`,
        `${node.program} on ${node.host}`]))],
    engines: ["Engines", (c) => c.engines.length === 0 ? null : [keyOf(testParts), table(
      ["engine", "bugs", "tests", { text: "outcome", wide: true }, "model holds", "skipped", "CPU", "bugs per CPU hour"],
      c.engines.map((row) => [row.name, whole(row.bugs), whole(row.tests), testBar(row), percent(row.valid, row.tests),
        percent(row.skipped, row.tests + row.skipped), duration(row.cpu), perHour(row.bugs, row.cpu)]))]],
    solvers: ["Solvers", (c) => c.solvers.length === 0 ? null : [keyOf(kOutcomes), table(
      ["solver", "bugs", "runs", { text: "answers", wide: true }, "timeouts", "CPU", "findings"],
      c.solvers.map((row) => [row.name, whole(row.bugs), whole(row.runs),
        bar(kOutcomes.map(([name, colour]) => [name, row.outcomes[name], colour]), row.runs),
        percent(row.outcomes.timeout, row.runs), duration(row.cpu), whole(row.findings)]))]],
    folders: ["Seed folders", (c) => c.folders.length === 0 ? null : [keyOf(testParts), table(
      ["folder", "seeds", "dropped", "tests", { text: "outcome", wide: true }, "CPU", "findings"],
      c.folders.map((row) => [row.name || "(none)", whole(row.seeds), whole(row.dropped), whole(row.tests), testBar(row),
        duration(row.cpu), whole(row.findings)]))]],
    options: ["Options", (c) => {
      if (c.bugs.length === 0) return null;
      const sets = new Map();
      for (const bug of c.bugs) {
        const name = `${bug.solver}: ${bug.options.length ? bug.options.join(" ") : "default options"}`;
        sets.set(name, (sets.get(name) || 0) + 1);
      }
      const rows = [...sets].sort((a, b) => b[1] - a[1]);
      return table([{ text: "options needed" }, "bugs", { text: "share of bugs", wide: true }],
        rows.map(([name, n]) => [name, whole(n), bar([["bugs", n, "--c4"]], c.bugs.length)]));
    }],
    code: ["Code", (c) => c.code.length === 0 ? null : c.code.map((solver) => [
      h("p", {}, `${solver.name}: source code that the campaign reached (gcov); files with the most unreached lines first` +
        (solver.file_count > solver.files.length ? ` (${solver.files.length} of ${solver.file_count})` : "")),
      table([{ text: "file" }, "lines", { text: "reached", wide: true }, "functions", "branches"],
        [{ ...solver, name: "all" }, ...solver.files].map((row) => [row.name, reachedOf(row.lines),
          bar([["reached", row.lines[0], "--c2"]], row.lines[1]), reachedOf(row.functions), reachedOf(row.branches)]))])],
    tried: ["Options and edits", (c) => {
      const rows = Object.entries(c.totals.tried || {}).flatMap(([kind, names]) =>
        Object.entries(names).map(([name, t]) => [kind, name, t.count, t.new_keys, t.findings]));
      if (rows.length === 0) return null;
      rows.sort((a, b) => (a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : b[2] - a[2]));
      return table(["class", { text: "name", wide: true }, "times", "new behaviour", "findings"],
        rows.slice(0, 500).map((row) => [row[0], row[1], whole(row[2]), whole(row[3]), whole(row[4])]));
    }],
    skips: ["Skipped", (c) => c.skips.length === 0 ? null : table(
      ["engine", { text: "why no test was made", wide: true }, "attempts"],
      c.skips.map((row) => [row.engine, row.reason, whole(row.count)]))],
  };

  const yieldSection = (c) => {
    const [, fill] = yields[state.tab];
    return [h("h2", {}, "Yield"),
      h("div", { class: "tabs", role: "group", "aria-label": "yield by" }, Object.entries(yields).filter(([name]) =>
        (name !== "code" || c.code.length > 0) && (name !== "nodes" || (c.nodes || []).length > 0)).map(([name, [title]]) =>
        h("button", { type: "button", class: "chip", "data-tab": name, "aria-pressed": String(state.tab === name),
          onclick: () => { state.tab = name; drawCampaign(); } }, title))),
      fill(c) || h("div", { class: "card" }, h("p", { class: "empty" }, "Nothing counted yet."))];
  };

  // --- bugs ---------------------------------------------------------------------------------

  // A kind that this program does not know looks like most.
  const kindOf = (name) => Object.hasOwn(config.kinds, name) ? config.kinds[name]
    : { meaning: "", expected: "", style: "warn" };
  const matches = (bug) => (!state.kind || bug.kind === state.kind) &&
    (!state.solver || bug.solver === state.solver) &&
    state.words.toLowerCase().split(/\s+/).every((word) =>
      [bug.id, bug.title, bug.engine, ...bug.options, ...bug.seeds].join(" ").toLowerCase().includes(word));

  const chips = (c, field) => {
    const counts = new Map();
    for (const bug of c.bugs) counts.set(bug[field], (counts.get(bug[field]) || 0) + 1);
    return [...counts].map(([name, n]) => h("button", { type: "button", class: "chip", [`data-${field}`]: name,
      "aria-pressed": String(state[field] === name),
      title: field === "kind" ? kindOf(name).meaning : "",
      onclick: () => { state[field] = state[field] === name ? "" : name; state.rows = kRowsAtFirst; drawBugs(true); } },
      field === "kind" ? swatchDot(kindColour(name)) : null, name, h("b", {}, n)));
  };

  const highlight = (text) => {
    const pre = h("pre");
    if (text.length > 60000) return add(pre, [text]);
    const pattern = /(;[^\n]*)|("(?:[^"]|"")*")|((?<=\()(?:assert|check-sat(?:-assuming)?|declare-[a-z]+|define-[a-z-]+|set-[a-z]+|get-[a-z-]+|push|pop|reset|exit)(?=[\s)]))|((?<=[\s(]):[a-zA-Z-]+)/g;
    let last = 0;
    for (const match of text.matchAll(pattern)) {
      pre.append(text.slice(last, match.index));
      const kind = match[1] ? "comment" : match[2] ? "string" : match[3] ? "command" : "keyword";
      add(pre, [h("span", { class: kind }, match[0])]);
      last = match.index + match[0].length;
    }
    pre.append(text.slice(last));
    return pre;
  };

  const copyButton = (text) => h("button", { type: "button", class: "small", onclick: async (event) => {
    const button = event.currentTarget;
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = "copied";
    } catch {
      button.textContent = "cannot copy here";
    }
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  } }, "copy");

  const fileBlock = (file) => file.name.endsWith(".smt2") || file.name.endsWith(".model")
    ? highlight(file.text) : h("pre", {}, file.text);
  const cutNote = (file) => file.size > file.text.length && file.cut
    ? ` (the first ${bytes(file.text.length)} of ${bytes(file.size)})` : "";

  const fillBug = (box, c, bug, detail) => {
    const script = detail.files.find((file) => file.name === "reduced.smt2") ||
      detail.files.find((file) => file.name === "original.smt2");
    const rest = detail.files.filter((file) => file !== script);
    const facts = [["kind", `${bug.kind}: ${bug.solver} ${kindOf(bug.kind).meaning}`],
      ["solver", `${bug.solver} ${bug.version}`], ["options", bug.options.join(" ") || "default"],
      ["provisional", detail.is_provisional ? "the time was up before it was reduced and described to the end" : ""],
      ["command", detail.command], ["disclaimed", (detail.disclaimed || []).join(" ")],
      ["probably", detail.probable], ["confirmed by", (detail.confirmed_by || []).join("; ")],
      ["crashed in", (detail.frames || []).join(" < ")], ["arises", detail.arises],
      ["gone with", (detail.gone_with || []).join(" ")], ["gone after", detail.quiet_edit],
      ["expected", detail.expectation], ["logic", detail.logic],
      ["found", `${plural(bug.count, "time")}, first ${clock(bug.first_seen)} (after ${duration(bug.found)}), last ${clock(bug.last_seen)}`],
      ["engine", `${bug.engine}, rng seed ${detail.rng_seed}`], ["seeds", bug.seeds.join(" ")],
      ["size", bug.size_reduced ? `${bytes(bug.size_reduced)}, reduced from ${bytes(bug.size_original)}`
                                : `${bytes(bug.size_original)}, not reduced`]];
    box.replaceChildren(
      h("h4", {}, "How we know"), h("div", { class: "evidence" }, detail.evidence || "(nothing recorded)"),
      ...(script ? [h("h4", {}, script.name + cutNote(script), h("span", { class: "spring" }), copyButton(script.text)),
                    fileBlock(script)] : []),
      ...(detail.answers.length ? [h("h4", {}, "Answers"), h("dl", { class: "facts" },
        detail.answers.map((one) => [h("dt", {}, `${one.solver} ${one.version}`), h("dd", {}, one.answer)]))] : []),
      h("h4", {}, "About it"),
      h("dl", { class: "facts" }, facts.filter(([, value]) => value).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
      ...rest.map((file) => h("details", { class: "fold" },
        h("summary", {}, file.name + cutNote(file)), fileBlock(file))));
  };

  const detailOf = async (c, id) => {
    if (!isLive) return c.details[id];
    const key = `${c.index}/${id}`;
    if (!details.has(key)) {
      const answer = await fetch(`api/campaign/${c.index}/bug/${encodeURIComponent(id)}`);
      if (!answer.ok) throw new Error(`the server says ${answer.status}`);
      details.set(key, await answer.json());
    }
    return details.get(key);
  };

  const bugRow = (c, bug) => {
    const key = `${c.index}/${bug.id}`;
    const box = h("div", { class: "inside" });
    const fill = async () => {
      try {
        fillBug(box, c, bug, await detailOf(c, bug.id));
      } catch (error) {
        box.replaceChildren(h("p", { class: "empty" }, `Cannot show this bug: ${error.message}`));
      }
    };
    const row = h("details", { class: "bug", "data-bug": bug.id, ontoggle: () => {
      if (!row.open) { state.open.delete(key); return; }
      state.open.add(key);
      if (!box.hasChildNodes()) fill();
    } },
      h("summary", {},
        h("span", {}, h("span", { class: `pill ${kindOf(bug.kind).style}`, title: kindOf(bug.kind).meaning }, swatchDot(kindColour(bug.kind)), bug.kind)),
        h("span", { class: "title" }, bug.title || bug.kind),
        h("span", { class: "meta" }, bytes(bug.size_reduced || bug.size_original)),
        h("span", { class: "id" }, bug.id, bug.options.length ? ` · ${bug.options.join(" ")}` : "",
          ` · ${bug.engine} · ${plural(bug.count, "time")}${bug.known ? " · known upstream" : ""}${bug.outside_policy ? " · outside the policy" : ""}`)),
      box);
    if (state.open.has(key)) row.open = true;
    return row;
  };

  const bugList = (c) => {
    const fitting = c.bugs.filter(matches);
    if (c.bugs.length === 0) {
      return h("p", { class: "empty" }, c.totals.tests > 0
        ? `No bug in ${plural(c.totals.tests, "test")} so far.` : "No test has been run yet.");
    }
    if (fitting.length === 0) return h("p", { class: "empty" }, "No bug fits this filter.");
    const rest = fitting.length - state.rows;
    return h("div", {}, fitting.slice(0, state.rows).map((bug) => bugRow(c, bug)),
      rest > 0 ? h("div", { class: "more-row" }, h("button", { type: "button", class: "chip", id: "more",
        onclick: () => { state.rows += kRowsMore; drawBugs(true); } }, `show ${Math.min(rest, kRowsMore)} more of ${rest}`)) : null);
  };

  // Drawn again only when something in it changed, so that nothing moves under a reader's finger.
  const drawBugs = (isForced) => {
    const c = state.campaign;
    const shown = `${c.index} ${c.bugs.map((bug) => `${bug.id} ${bug.count} ${bug.size_reduced}`).join()}`;
    if (!isForced && shown === state.bugsShown) return;
    state.bugsShown = shown;
    part("bug-chips").replaceChildren(...chips(c, "kind"), h("span", { class: "gap" }), ...chips(c, "solver"));
    part("bug-list").replaceChildren(bugList(c));
    part("bug-filters").hidden = c.bugs.length < 2;
  };

  // --- the page -----------------------------------------------------------------------------

  const part = (id) => document.getElementById(id);

  const tile = (what, value, more, kind) => h("div", { class: `card tile ${kind || ""}` },
    h("div", { class: "what" }, what), h("div", { class: "value" }, value), h("div", { class: "more" }, more || ""));

  const tiles = (c) => {
    const t = c.totals;
    const grave = c.bugs.filter((bug) => kindOf(bug.kind).style === "grave").length;
    return h("div", { class: "tiles" },
      tile("Bugs", whole(t.bugs), t.bugs ? (grave ? `${grave} unsound` : `in ${plural(t.findings, "finding")}`) : "none so far", t.bugs ? "grave" : ""),
      tile("Tests", short(t.tests), t.seconds >= kEnough ? `${short(t.tests / t.seconds)} per second` : ""),
      tile("Accepted", percent(t.accepted, t.tests), "of tests, by some solver"),
      tile("Decided", percent(t.decided, t.tests), "of tests, sat or unsat"),
      tile("Timeouts", percent(t.timeouts, t.runs), `of ${short(t.runs)} runs`),
      tile("Running time", duration(t.seconds), `CPU: solvers ${duration(t.cpu_seconds_solvers)}, own ${duration(t.cpu_seconds_self)}`));
  };

  const warnings = (c) => c.events.filter((event) => event.severity !== "note").slice(-3).map((event) =>
    h("div", { class: "notice" }, `${event.severity}: ${event.message}`, event.count > 1 ? ` (${whole(event.count)} times)` : ""));

  const aboutSection = (c) => [h("h2", {}, "Campaign"), h("div", { class: "card inside" },
    h("dl", { class: "facts" }, [["program", c.program], ["command", c.command_line],
      ["started", clock(c.totals.start_time)], ["last written", clock(c.totals.last_update)],
      ["sessions", whole(c.totals.sessions)], ["seeds", `${whole(c.totals.seeds)}, ${whole(c.totals.seeds_dropped)} dropped`],
      ["peak memory", `${whole(c.totals.peak_rss_mb)} MiB`]].filter(([, v]) => v).map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
    h("details", { class: "fold" }, h("summary", {}, "campaign.toml"), h("pre", {}, c.settings)),
    c.events.length ? h("details", { class: "fold" }, h("summary", {}, plural(c.events.length, "event")),
      h("ul", { class: "events" }, c.events.slice().reverse().map((event) => h("li", {},
        h("span", { class: `pill ${event.severity === "note" ? "calm" : "warn"}` }, event.severity), " ",
        `${clock(event.last)} ${event.source ? event.source + ": " : ""}${event.message}`, event.count > 1 ? ` (${whole(event.count)} times)` : "")))) : null)];

  const header = (c) => {
    const pill = isLive ? h("span", { class: `pill ${c && c.running ? "live" : ""}` }, c && c.running ? "running" : "ended") : null;
    part("top").replaceChildren(h("span", { class: "mark" }, "Elenchus"), h("h1", {}, c ? c.name : "loading …"), ...(pill && c ? [pill] : []),
      h("span", { class: "when" }, state.problem || (c ? `${c.solvers.map((row) => row.name).join(", ") || "no solver yet"} · as of ${clock(c.totals.last_update)}` : "")));
    document.title = c ? `${c.totals.bugs ? `(${c.totals.bugs}) ` : ""}${c.name} – Elenchus` : "Elenchus";
  };

  const overviewOf = (c) => c.overview || { index: c.index, name: c.name, running: c.running, bugs: c.totals.bugs,
    tests: c.totals.tests, seconds: c.totals.seconds, found: c.bugs.map((bug) => bug.found),
    tests_by: summed(c.series, c.series.tests) };

  const campaignsSection = (all) => {
    if (all.length < 2) return null;
    const line = (one, i, points, shape) => ({ name: `${i + 1} ${one.name}`, colour: colourOf(i), shape, points });
    const end = Math.max(...all.map((one) => one.seconds));
    return [h("div", { class: "campaigns" }, all.map((one, i) => h("button", { type: "button", class: "card campaign", "data-campaign": i,
      "aria-pressed": String(i === state.current), onclick: () => choose(i) },
      h("div", { class: "name" }, swatchDot(colourOf(i)), one.name, " ", isLive ? h("span", { class: `pill ${one.running ? "live" : ""}` }, one.running ? "running" : "ended") : null),
      h("div", { class: "figures" }, one.error || `${plural(one.bugs, "bug")} · ${short(one.tests)} tests · ${duration(one.seconds)}`)))),
      h("h2", {}, "Side by side"),
      h("div", { class: "plots" },
        plot({ name: "all-bugs", title: "Bugs by campaign", note: "over running time", end, isCount: true, empty: "No bug so far.",
          series: all.map((one, i) => line(one, i, reaching(found(one.found.map((t) => ({ found: t }))), one.seconds), "step")) }),
        plot({ name: "all-tests", title: "Tests by campaign", note: "over running time", end,
          series: all.map((one, i) => line(one, i, one.tests_by, "line")) })),
      h("h2", {}, all[state.current] ? all[state.current].name : "")];
  };
  const swatchDot = (colour) => styled(h("span"), { display: "inline-block", width: "10px", height: "10px",
    "border-radius": "3px", "margin-right": "7px", background: `var(${colour})` });

  const layOut = () => {
    const search = h("input", { type: "search", placeholder: "search id, title, engine, option, seed", "aria-label": "search bugs",
      oninput: (event) => { state.words = event.target.value; state.rows = kRowsAtFirst; part("bug-list").replaceChildren(bugList(state.campaign)); } });
    part("page").replaceChildren(h("div", { id: "campaigns" }), h("div", { id: "summary" }),
      h("h2", { id: "bugs" }, "Bugs"), h("div", { class: "filters", id: "bug-filters" }, styled(h("span", { id: "bug-chips" }), { display: "contents" }), search),
      h("div", { class: "card", id: "bug-list" }), h("h2", {}, "Over time"), h("div", { id: "plots" }),
      h("div", { id: "yield" }), h("div", { id: "about" }));
    if (isLive) part("summary").replaceChildren(h("p", { class: "empty" }, "Loading the campaign …"));
    part("foot").textContent = isLive ? "Live from the campaign's folder; this page loads nothing from elsewhere."
      : `Written ${clock(config.generated)}. This page is self-contained and loads nothing.`;
  };

  const put = (id, ...children) => {
    part(id).replaceChildren(...children.flat(Infinity).filter((child) => child !== null));
    for (const draw of waiting.splice(0)) draw();
  };

  const drawCampaign = () => {
    const c = state.campaign;
    header(c);
    if (!c) return;
    put("campaigns", campaignsSection(state.campaigns.map(overviewOf)) || []);
    const trouble = c.trouble ? [h("div", { class: "notice" }, `this page may be out of date: ${c.trouble}`)] : [];
    put("summary", ...trouble, tiles(c), ...warnings(c));
    drawBugs(false);
    put("plots", plots(c));
    put("yield", yieldSection(c));
    put("about", aboutSection(c));
  };

  const choose = (index) => {
    Object.assign(state, { current: index, kind: "", solver: "", rows: kRowsAtFirst, bugsShown: "" });
    if (isLive) { refresh(); return; }
    state.campaign = state.campaigns[index];
    drawCampaign();
  };

  // --- live ---------------------------------------------------------------------------------

  const get = async (path) => {
    const answer = await fetch(path);
    if (!answer.ok) throw new Error(`the server says ${answer.status}`);
    return answer.json();
  };
  let last = "";
  const refresh = async () => {
    try {
      const index = state.current;
      const campaigns = await get("api/campaigns");
      const campaign = await get(`api/campaign/${index}`);
      if (index !== state.current) return;
      const text = JSON.stringify([index, campaigns, campaign, state.problem]);
      state.problem = "";
      if (text === last) return;
      last = text;
      state.campaigns = campaigns.map((one) => ({ overview: one }));
      // What was fetched of a bug may be out of date once the bug is.
      if (state.campaign && JSON.stringify(state.campaign.bugs) !== JSON.stringify(campaign.bugs)) details.clear();
      state.campaign = campaign;
      drawCampaign();
    } catch (error) {
      last = "";
      state.problem = `no answer from the dashboard (${error.message}); this page may be out of date`;
      header(state.campaign);
    }
  };

  layOut();
  if (isLive) {
    const poll = async () => {
      if (!document.hidden) await refresh();
      setTimeout(poll, kPollMs);
    };
    poll();
  } else {
    state.campaigns.forEach((c, i) => { c.index = i; });
    state.campaign = state.campaigns[0];
    drawCampaign();
  }
})();
