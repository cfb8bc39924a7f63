/**
 * Every exported function, class, interface, type and constant of src/ has a doc comment that says what it does, returns
 * or holds.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { filesByArea } from './source-areas.ts';

const root = join(import.meta.dirname, '..');

const areas = new Map(
  [...filesByArea(/\.tsx?$/)].flatMap(([area, files]): [string, string[]][] => {
    const sources = files.filter((path) => path.startsWith('src/') && !/\.(test|d)\.tsx?$/.test(path));
    return sources.length === 0 ? [] : [[area, sources]];
  }),
);

test.each([...areas.keys()])('every exported symbol of %s has a doc comment', (area) => {
  expect(areas.get(area)!.flatMap(undocumentedSymbols)).toEqual([]);
});

/** `file: name` for each exported declaration without a doc comment; re-exports are documented where they are declared. */
function undocumentedSymbols(path: string): string[] {
  const source = ts.createSourceFile(
    path,
    readFileSync(join(root, path), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  );
  return source.statements.flatMap((statement) => {
    const isExported =
      ts.canHaveModifiers(statement) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword);
    if (!isExported || ts.getJSDocCommentsAndTags(statement).length > 0) return [];
    return namesOf(statement).map((name) => `${path}: ${name}`);
  });
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  }
  const { name } = statement as ts.DeclarationStatement;
  return name === undefined ? [] : [name.getText()];
}
