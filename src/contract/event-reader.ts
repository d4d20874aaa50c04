/** A server-sent event before its data, which is JSON, is parsed. */
export type RawEvent = { readonly name: string; readonly data: string; readonly id?: string }

/** Reads an event stream: takes its text in pieces of any size and returns the events that are complete. */
export function eventReader(): (piece: string) => RawEvent[] {
  let rest = ''
  return (piece) => {
    rest += piece
    const blocks = rest.split(/\r\n\r\n|\n\n|\r\r/)
    rest = blocks.pop() ?? ''
    return blocks.flatMap((block) => eventOf(block) ?? [])
  }
}

function eventOf(block: string): RawEvent | undefined {
  const fields = block.split(/\r\n|\n|\r/).map(fieldOf)
  const last = (name: string) => fields.findLast((field) => field.name === name)?.value
  const data = fields.filter((field) => field.name === 'data').map((field) => field.value)
  if (data.length === 0) return undefined
  const id = last('id')
  return { name: last('event') ?? 'message', data: data.join('\n'), id }
}

function fieldOf(line: string): { name: string; value: string } {
  const colon = line.indexOf(':')
  if (colon < 0) return { name: line, value: '' }
  return { name: line.slice(0, colon), value: line.slice(colon + 1).replace(/^ /, '') }
}
