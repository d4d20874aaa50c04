import type { Index, Item, MessageItem, Seq } from '../../model/types.ts'

/** The messages that are hidden in an item, if there are any. */
function hiddenIn(item: Item): readonly MessageItem[] | undefined {
  return item.kind === 'message' ? item.leftOut?.items : undefined
}

/** The items with the messages that were left out at their places: facts come from the log, whatever the view shows. */
export function wholeItems(items: readonly Item[]): readonly Item[] {
  return wholeWithKnown(items, []).map(({ item }) => item)
}

/** The same with the known values of the items. Those of an item that hides others are not known. */
export function wholeWithKnown<T>(
  items: readonly Item[],
  known: readonly (T | undefined)[],
): readonly { readonly item: Item; readonly known: T | undefined }[] {
  return items.flatMap((item, i): { item: Item; known: T | undefined }[] => {
    const hidden = hiddenIn(item)
    return hidden === undefined ? [{ item, known: known[i] }] : hidden.map((one) => ({ item: one, known: undefined }))
  })
}

type Quoted = Pick<Index, 'files' | 'errors' | 'identifiers' | 'printed' | 'instructionFiles'>

/**
 * The facts without those that would bring a part of what was left out into a record: output, names, and files that were only
 * read. What changed, what was run and what the user said stays.
 */
export function withoutQuotes<F extends Quoted>(facts: F, items: readonly Item[]): F {
  const hidden = new Set<Seq>()
  for (const item of items) {
    for (const { seq, message } of hiddenIn(item) ?? []) if (message.role !== 'user') hidden.add(seq)
  }
  if (hidden.size === 0) return facts
  const isShown = ({ seq }: { readonly seq: Seq }) => !hidden.has(seq)
  return {
    ...facts,
    files: facts.files.filter((file) => file.access !== 'read' || isShown(file)),
    errors: facts.errors.filter(isShown),
    identifiers: facts.identifiers.filter(isShown),
    printed: facts.printed?.filter(isShown),
    instructionFiles: facts.instructionFiles?.filter(isShown),
  }
}
