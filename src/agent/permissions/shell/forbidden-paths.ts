import { literal, type TextShape, wildcardShape } from './text-shape.ts'

/** The absolute paths that a path pattern of a rule means. */
export type ForbiddenPaths = {
  readonly paths: readonly TextShape[]
  /** The same behind other names of the workspace: links may lead to it. Only for paths that are written from the root. */
  readonly linked: readonly TextShape[]
}

/** What a path pattern means, seen from a workspace: `*` within a name, `**` over folders. */
export function forbiddenPaths(pattern: string, workspace: string): ForbiddenPaths {
  const plain = pattern.replace(/^\.\//, '').replace(/(.)\/+$/, '$1')
  const segments = plain === '.' ? [] : plain.split('/')
  if (segments[0] === '') return { paths: below([], segments.slice(1)), linked: [] }
  // It reaches outside of the workspace too, as it does for a path that a tool names.
  if (segments[0] === '**') return { paths: below([{ hole: 'any' }], segments.slice(1)), linked: [] }
  const name = `/${workspace.split('/').at(-1)}`
  return { paths: below(literal(workspace), segments), linked: below([{ hole: 'any' }, { text: name }], segments) }
}

function below(start: TextShape, [segment, ...rest]: readonly string[]): readonly TextShape[] {
  if (segment === undefined) return [start]
  if (segment !== '**') return below([...start, { text: '/' }, ...wildcardShape(segment, 'segment')], rest)
  return [...below(start, rest), ...below([...start, { text: '/' }, { hole: 'any' }], rest)]
}
