/** Fields for a JSON Schema. Every maker gives an element and a function that reads its value; undefined means left out. */
class Form {
  constructor(schema) {
    this.root = schema;
    this.count = 0;
    const made = this.object(schema, 0);
    this.element = made.element;
    this.read = () => made.read() ?? {};
  }

  resolve(schema) {
    let whole = schema ?? {};
    for (let depth = 0; whole.$ref && depth < 20; depth++) {
      const target = whole.$ref.slice(2).split("/").reduce((at, key) => at?.[key.replaceAll("~1", "/").replaceAll("~0", "~")], this.root);
      const { $ref, ...beside } = whole;
      whole = { ...target, ...beside };
    }
    const forms = (whole.anyOf ?? whole.oneOf ?? []).filter((form) => form.type !== "null");
    const nullable = (whole.anyOf ?? whole.oneOf ?? []).length > forms.length;
    if (nullable && forms.length === 1) {
      const { anyOf, oneOf, ...beside } = whole;
      return this.resolve({ ...forms[0], ...beside });
    }
    return whole;
  }

  type(schema) {
    if (schema.type) return [schema.type].flat().find((type) => type !== "null");
    return schema.properties ? "object" : undefined;
  }

  /** A labelled field. */
  field(name, given, required, depth) {
    const schema = this.resolve(given);
    const made = this.value(schema, required, depth, name);
    const about = schema.description ? h("p.about.soft", { id: `${made.id}-about` }, prose(schema.description)) : null;
    const title = [h("span.mono", {}, name), required ? h("span.badge.accent", {}, "required") : null];
    const head = made.group ? h("legend", {}, title) : h("label", { htmlFor: made.id }, title);
    if (about && !made.group) made.element.setAttribute("aria-describedby", about.id);
    const element = made.group ? h("fieldset", {}, head, about, made.element) : h("div.field", {}, head, about, made.element);
    return { name, element, read: made.read };
  }

  value(schema, required, depth, name) {
    const id = `f${this.count++}`;
    const constants = schema.enum ?? this.constants(schema);
    if (constants) return this.choice(id, constants, required, schema);
    const forms = schema.oneOf ?? schema.anyOf;
    if (forms && depth < 4) return { id, group: true, ...this.variants(forms, required, depth, name) };
    switch (this.type(schema)) {
      case "boolean":
        return this.choice(id, [true, false], required, schema);
      case "integer":
      case "number":
        return this.number(id, schema, required);
      case "string":
        return this.text(id, schema, required);
      case "array": {
        const items = this.resolve(schema.items);
        return this.type(items) === "string" && !items.enum ? this.lines(id, schema) : this.json(id, schema, required);
      }
      case "object":
        if (schema.properties && depth < 4) return { id, group: true, ...this.object(schema, depth + 1, required) };
        if (this.type(this.resolve(schema.additionalProperties ?? {})) === "string") return this.pairs(id);
        return this.json(id, schema, required);
      default:
        return this.json(id, schema, required);
    }
  }

  constants(schema) {
    const all = schema.oneOf ?? schema.anyOf;
    if (!all?.length) return undefined;
    const constants = all.map((form) => this.resolve(form)).flatMap((form) => form.enum ?? (form.const === undefined ? [undefined] : [form.const]));
    return constants.includes(undefined) ? undefined : constants;
  }

  object(schema, depth, required = true) {
    const must = schema.required ?? [];
    const fields = Object.entries(schema.properties ?? {}).map(([name, given]) => this.field(name, given, must.includes(name), depth));
    const needed = fields.filter((field) => must.includes(field.name));
    const others = fields.filter((field) => !must.includes(field.name));
    const folded = others.length > 6 || depth > 0;
    const rest = others.map((field) => field.element);
    const optional = others.length === 0 ? [] : folded
      ? [h("details", {}, h("summary", {}, `${others.length} optional ${others.length === 1 ? "field" : "fields"}`), h("div.fields", {}, rest))]
      : rest;
    const element = h("div.fields", {}, needed.map((field) => field.element), optional, fields.length === 0 ? h("p.soft", {}, "This tool takes no arguments.") : null);
    const read = () => {
      const entries = fields.map((field) => [field.name, field.read()]).filter(([, value]) => value !== undefined);
      return entries.length > 0 || required ? Object.fromEntries(entries) : undefined;
    };
    return { element, read };
  }

  /** One of several forms: a choice, and the fields of the one chosen. */
  variants(forms, required, depth, name) {
    const made = forms.map((given) => {
      const form = this.resolve(given);
      const title = form.title ?? (form.required?.length === 1 ? form.required[0] : this.type(form)) ?? "JSON";
      return { title, build: () => this.value(form, true, depth + 1) };
    });
    const body = h("div");
    let chosen;
    const choose = (index) => {
      chosen = index < 0 ? undefined : made[index].build();
      body.replaceChildren(...(chosen ? [chosen.element] : []));
      if (chosen && !chosen.group) chosen.element.setAttribute("aria-label", `${name}: ${made[index].title}`);
    };
    const options = made.map(({ title }, index) => h("option", { value: index }, title));
    const select = h("select", { "aria-label": `${name}: which form`, onchange: () => choose(Number(select.value)) }, required ? [] : h("option", { value: -1 }, "left out"), options);
    choose(required ? 0 : -1);
    return { element: h("div.fields", {}, select, body), read: () => chosen?.read() };
  }

  choice(id, values, required, schema) {
    const unset = schema.default === undefined ? "left out" : `default: ${JSON.stringify(schema.default)}`;
    const options = values.map((value, index) => h("option", { value: index }, typeof value === "string" ? value : JSON.stringify(value)));
    const element = h("select", { id }, required ? [] : h("option", { value: -1 }, unset), options);
    return { id, element, read: () => values[Number(element.value)] };
  }

  number(id, schema, required) {
    const whole = this.type(schema) === "integer";
    const fallback = schema.default === undefined || schema.default === null ? "" : `default: ${schema.default}`;
    const element = h("input", { id, type: "number", step: whole ? "1" : "any", min: schema.minimum ?? "", max: schema.maximum ?? "", required, placeholder: fallback });
    return { id, element, read: () => (element.value === "" ? undefined : Number(element.value)) };
  }

  text(id, schema, required) {
    const fallback = typeof schema.default === "string" && schema.default ? `default: ${schema.default}` : "";
    const element = h("input", { id, type: "text", required, placeholder: fallback, spellcheck: false, autocomplete: "off" });
    return { id, element, read: () => (element.value === "" && !required ? undefined : element.value) };
  }

  lines(id) {
    const element = h("textarea", { id, rows: 2, placeholder: "one per line", spellcheck: false });
    return { id, element, read: () => (element.value === "" ? undefined : element.value.split("\n").filter((line) => line !== "")) };
  }

  pairs(id) {
    const element = h("textarea", { id, rows: 2, placeholder: "NAME=value, one per line", spellcheck: false });
    const read = () => {
      const pairs = element.value.split("\n").filter((line) => line.includes("="));
      return pairs.length === 0 ? undefined : Object.fromEntries(pairs.map((line) => [line.slice(0, line.indexOf("=")).trim(), line.slice(line.indexOf("=") + 1)]));
    };
    return { id, element, read };
  }

  json(id, schema, required) {
    const fallback = schema.default === undefined ? "JSON" : `default: ${JSON.stringify(schema.default)}`;
    const element = h("textarea", { id, rows: 2, placeholder: fallback, required, spellcheck: false });
    const read = () => {
      element.removeAttribute("aria-invalid");
      if (element.value.trim() === "") return undefined;
      try {
        return JSON.parse(element.value);
      } catch (error) {
        element.setAttribute("aria-invalid", "true");
        element.focus();
        throw new Error(`not JSON: ${error.message}`);
      }
    };
    return { id, element, read };
  }
}
