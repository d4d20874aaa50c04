/** The operators that can replace another; all bind as strongly as the one that they replace. */
export const OPERATORS: Readonly<Record<string, readonly string[]>> = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '===': ['!=='],
  '!==': ['==='],
  '+': ['-'],
  '-': ['+'],
  '*': ['/'],
  '/': ['*'],
  '%': ['*'],
  '&&': ['||'],
  '||': ['&&'],
  '+=': ['-='],
  '-=': ['+='],
  '??=': ['='],
}

/** The method that can replace another. */
export const METHODS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    some: 'every',
    every: 'some',
    find: 'findLast',
    findLast: 'find',
    findIndex: 'findLastIndex',
    findLastIndex: 'findIndex',
    indexOf: 'lastIndexOf',
    lastIndexOf: 'indexOf',
    startsWith: 'endsWith',
    endsWith: 'startsWith',
    min: 'max',
    max: 'min',
    floor: 'ceil',
    ceil: 'floor',
    round: 'floor',
    toLowerCase: 'toUpperCase',
    toUpperCase: 'toLowerCase',
    push: 'unshift',
    unshift: 'push',
  }),
)

/** Methods whose result has the type of the object: without the call the program still runs. */
export const REMOVABLE = new Set(
  'filter slice toSorted toReversed sort reverse trim trimStart trimEnd concat'.split(' '),
)

/** Methods that return an array: an empty one is the better mutant than `undefined`. */
export const RETURNS_ARRAY = new Set('filter map flatMap flat toSorted toReversed toSpliced'.split(' '))

/** The replacements of a number, a text, a truth value or a regular expression. */
export function otherLiterals(node: { readonly value: unknown; readonly raw: string | null }): string[] {
  const { value } = node
  if (typeof value === 'boolean') return [String(!value)]
  if (typeof value === 'number') return [String(value + 1), value < 1 ? `(${value - 1})` : String(value - 1)]
  if (typeof value === 'string') return [value === '' ? `'mutated'` : `''`]
  if (value instanceof RegExp) return withoutAnchors(node.raw ?? '')
  return []
}

function withoutAnchors(regex: string): string[] {
  return [regex.replace(/^\/\^/, '/'), regex.replace(/(?<!\\)\$(\/\w*)$/, '$1')].filter((other) => other !== regex)
}
