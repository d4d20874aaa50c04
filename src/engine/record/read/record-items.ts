import { SECTION } from '../sections/section-titles.ts'

/** One fact or line of a record, with the lines under it, and where it stands. */
export type RecordItem = {
  readonly section: string
  readonly heading: string | undefined
  readonly text: string
}

/** Takes the text of a record apart. Nothing that is quoted in it begins like an item or a heading. */
export function recordItems(text: string): RecordItem[] {
  const items: { section: string; heading: string | undefined; text: string }[] = []
  let section = ''
  let heading: string | undefined
  let isFirst = true
  for (const line of text.split('\n')) {
    const title = /^(##|###) (.{1,80})$/.exec(line)
    const last = items.at(-1)
    if (title?.[1] === '##') {
      section = title[2] ?? ''
      heading = undefined
    } else if (title !== null) heading = title[2]
    else if (isFirst || last === undefined || begins(line, section)) items.push({ section, heading, text: line })
    else last.text += `\n${line}`
    isFirst = title !== null
  }
  return items.map((item) => ({ ...item, text: item.text.trimEnd() })).filter(({ text }) => text !== '')
}

/** The words of a message go on for lines, and so do the hunks of a file; every other line is an item. */
function begins(line: string, section: string): boolean {
  if (section === SECTION.now) return /^(?:- )?#\d+ |^\(and \d+ /.test(line)
  return section !== SECTION.changed || !line.startsWith('    ')
}
