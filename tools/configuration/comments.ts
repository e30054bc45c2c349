import ts from 'typescript';

/** A class of variables, as its source declares it. */
export interface DeclaredClass {
  name: string;
  /** The class that it extends, if any. */
  parent: string | undefined;
  variables: DeclaredVariable[];
}

export interface DeclaredVariable {
  name: string;
  /** The doc comment. Undefined: there is none. */
  comment: string | undefined;
  /** The default as the source writes it. */
  initializer: string;
}

/** Returns the classes of a file with their own variables: properties whose names are in capitals. */
export function declaredClasses(file: string, source: string): DeclaredClass[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  return tree.statements.filter(ts.isClassDeclaration).map((declaration) => ({
    name: declaration.name?.text ?? '',
    parent: declaration.heritageClauses?.[0]?.types[0]?.expression.getText(),
    variables: declaration.members
      .filter(ts.isPropertyDeclaration)
      .filter((property) => /^[A-Z][A-Z0-9_]+$/.test(property.name.getText()))
      .map((property) => ({
        name: property.name.getText(),
        comment: commentOf(property),
        initializer: property.initializer?.getText() ?? '',
      })),
  }));
}

function commentOf(property: ts.PropertyDeclaration): string | undefined {
  const [first] = ts.getJSDocCommentsAndTags(property);
  const text = first && ts.isJSDoc(first) ? ts.getTextOfJSDocComment(first.comment) : undefined;
  return text === '' ? undefined : text;
}
