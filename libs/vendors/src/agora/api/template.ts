/** Values of `llm.template_variables`: Agora's reference has no nesting. */
export type TemplateVariables = Readonly<Record<string, string | number | boolean>>;

/** Fills `{{name}}` with the variable of this name. A name without a variable stays as it is. */
export const fillTemplate = (text: string, variables: TemplateVariables): string =>
  text.replaceAll(/\{\{\s*([^{}\s]+)\s*\}\}/g, (whole, name: string) =>
    Object.hasOwn(variables, name) ? String(variables[name]) : whole,
  );
