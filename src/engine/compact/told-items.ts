import type { Item } from '../../model/view.ts'
import { changeTexts } from '../view/rewrite-message.ts'

/** Gives items as they may be told. Each is looked at once; one without a secret is itself. */
export function toldItems(redact: ((text: string) => string) | undefined): (item: Item) => Item {
  if (redact === undefined) return (item) => item
  const known = new WeakMap<Item, Item>()
  return (item) => {
    const told = known.get(item) ?? toldItem(item, redact)
    known.set(item, told)
    return told
  }
}

function toldItem(item: Item, redact: (text: string) => string): Item {
  const message = changeTexts(item.message, redact)
  if (message === item.message) return item
  return item.kind === 'message' ? { ...item, message } : { ...item, message, text: redact(item.text) }
}
