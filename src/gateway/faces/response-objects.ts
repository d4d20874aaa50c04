import { eventReader } from '../../contract/event-reader.ts'
import { type Fields, fields, objects, parsed } from '../../formats/shared/json.ts'

/** The JSON objects of a response: the data of its events, the elements of its list, or the one object that it is. */
export function responseObjects(text: string): Fields[] {
  const start = text.trimStart().charAt(0)
  if (start === '{' || start === '[') {
    const document = parsed(text)
    return Array.isArray(document) ? objects(document) : [fields(document) ?? {}]
  }
  // The empty line completes an event at the end of a stream that has none there.
  return objects(eventReader()(`${text}\n\n`).map(({ data }) => parsed(data)))
}
