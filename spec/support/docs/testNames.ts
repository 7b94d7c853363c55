import ts from 'typescript';

/** Of what is called: `it` in `it(…)`, `it.each(…)(…)` and `it.skip(…)`; with what follows the name, as `it.each`. */
function calleeOf(called: ts.Expression): string {
  if (ts.isIdentifier(called)) return called.text;
  if (ts.isPropertyAccessExpression(called)) return `${calleeOf(called.expression)}.${called.name.text}`;
  if (ts.isCallExpression(called)) return calleeOf(called.expression);
  return '';
}

/**
 * The full names of the tests in a spec file, as they are written there: the titles of the describes around a test, and its own.
 * The places of `it.each` and `describe.each` stay as they are (`%s`, `$name`); tests that are skipped are none.
 */
export function testNamesIn(text: string): string[] {
  const names: string[] = [];
  const walk = (node: ts.Node, titles: readonly string[]): void => {
    let inside = titles;
    if (ts.isCallExpression(node)) {
      const [title] = node.arguments;
      const callee = calleeOf(node.expression);
      if (title !== undefined && ts.isStringLiteralLike(title)) {
        if (/^describe(\.each)?$/.test(callee)) inside = [...titles, title.text];
        if (/^(it|test)(\.each)?$/.test(callee)) names.push([...titles, title.text].join(' '));
      }
    }
    ts.forEachChild(node, (child) => walk(child, inside));
  };
  walk(ts.createSourceFile('a.spec.ts', text, ts.ScriptTarget.Latest), []);
  return names;
}
