import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { parseSync } from 'rolldown/utils'

/** A name that an entry point exports. */
export type ExportedName = {
  readonly name: string
  readonly isType: boolean
  readonly isFunction: boolean
  /** The declaration without what it does: the parameters and the result, the members. */
  readonly signature: string
  /** The text of the comment before it; empty when there is none. */
  readonly comment: string
}

const ROOT = resolve(import.meta.dirname, '..', '..')

/** The entry points of the package that are rooms of the sources, by the name that users write. */
export function entryPoints(): ReadonlyMap<string, string> {
  const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    exports: Record<string, { default: string } | string>
  }
  const sources = Object.entries(exports).flatMap(([path, target]): [string, string][] =>
    typeof target === 'string'
      ? []
      : [[path.replace(/^\./, 'pith'), target.default.replace('./dist/', 'src/').replace(/\.js$/, '.ts')]],
  )
  return new Map(sources.filter(([, file]) => existsSync(join(ROOT, file))))
}

/** The names that a file of the sources exports from others, in alphabetical order. */
export function exportedNames(file: string): ExportedName[] {
  const path = join(ROOT, file)
  return programOf(path)
    .body.flatMap((statement): ExportedName[] => {
      if (statement.type === 'ExportNamedDeclaration' && statement.source !== null) {
        const from = join(dirname(path), statement.source.value)
        return statement.specifiers.map((each) => ({
          ...declared(from, nameOf(each.local)),
          name: nameOf(each.exported),
        }))
      }
      return statement.type === 'ExportDefaultDeclaration' ? [declaredDefault(path)] : []
    })
    .toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
}

/** The function that a file exports as its default. */
function declaredDefault(path: string): ExportedName {
  const text = readFileSync(path, 'utf8')
  const { body, comments } = programOf(path)
  const statement = body.find(({ type }) => type === 'ExportDefaultDeclaration')
  if (statement?.type !== 'ExportDefaultDeclaration' || statement.declaration.type !== 'FunctionDeclaration')
    throw new Error(`${path} has no function as its default`)
  const { start, body: block, end } = statement.declaration
  return {
    name: 'default',
    isType: false,
    isFunction: true,
    signature: text.slice(start, block?.start ?? end).trimEnd(),
    comment: commentBefore(comments, statement.start, text),
  }
}

function commentBefore(comments: ReturnType<typeof parsed>['comments'], start: number, text: string): string {
  const before = comments.find(
    ({ type, end }) => type === 'Block' && end <= start && text.slice(end, start).trim() === '',
  )
  return before === undefined ? '' : commentText(before.value)
}

/** The declaration of a name in a file. */
function declared(path: string, name: string): ExportedName {
  const text = readFileSync(path, 'utf8')
  const { body, comments } = programOf(path)
  for (const statement of body) {
    if (statement.type !== 'ExportNamedDeclaration') continue
    const passedOn = statement.specifiers.find(({ exported }) => nameOf(exported) === name)
    if (passedOn !== undefined && statement.source !== null)
      return declared(join(dirname(path), statement.source.value), nameOf(passedOn.local))
    if (statement.declaration === null) continue
    const found = signatureIn(statement.declaration, name, text)
    if (found === undefined) continue
    return { name, ...found, comment: commentBefore(comments, statement.start, text) }
  }
  throw new Error(`${path} does not declare ${name}`)
}

type Declaration = NonNullable<
  Extract<ReturnType<typeof programOf>['body'][number], { type: 'ExportNamedDeclaration' }>['declaration']
>

function signatureIn(
  declaration: Declaration,
  name: string,
  text: string,
): Pick<ExportedName, 'signature' | 'isType' | 'isFunction'> | undefined {
  const cut = (start: number, end: number) => text.slice(start, end).trimEnd()
  switch (declaration.type) {
    case 'FunctionDeclaration':
      if (declaration.id?.name !== name || declaration.body === null) return undefined
      return { signature: cut(declaration.start, declaration.body.start), isType: false, isFunction: true }
    case 'TSTypeAliasDeclaration':
    case 'TSInterfaceDeclaration':
      if (declaration.id.name !== name) return undefined
      return { signature: cut(declaration.start, declaration.end), isType: true, isFunction: false }
    case 'ClassDeclaration': {
      if (declaration.id?.name !== name) return undefined
      const members = declaration.body.body.flatMap((member) => {
        if (member.type === 'PropertyDefinition' && member.key.type !== 'PrivateIdentifier')
          return [`  ${cut(member.start, member.end)}`]
        if (member.type === 'MethodDefinition' && member.key.type !== 'PrivateIdentifier')
          return [`  ${cut(member.start, member.value.body?.start ?? member.end)}`]
        return []
      })
      const head = cut(declaration.start, declaration.body.start)
      return { signature: [`${head} {`, ...members, '}'].join('\n'), isType: false, isFunction: false }
    }
    case 'VariableDeclaration': {
      const found = declaration.declarations.find(({ id }) => id.type === 'Identifier' && id.name === name)
      if (found === undefined) return undefined
      return { signature: `const ${cut(found.id.start, found.id.end)}`, isType: false, isFunction: false }
    }
    default:
      return undefined
  }
}

const programs = new Map<string, ReturnType<typeof parsed>>()

function programOf(path: string): ReturnType<typeof parsed> {
  const known = programs.get(path) ?? parsed(path)
  programs.set(path, known)
  return known
}

function parsed(path: string) {
  const { program, comments } = parseSync(path, readFileSync(path, 'utf8'))
  return { body: program.body, comments }
}

function nameOf(node: { readonly type: string; readonly name?: string; readonly value?: unknown }): string {
  return node.name ?? String(node.value)
}

function commentText(value: string): string {
  return value.replaceAll(/^\s*\* ?/gm, '').trim()
}
