import { expect } from 'vitest'
import { SECTION } from '../../../src/engine/record/sections/section-titles.ts'
import { textOf, type View } from '../../../src/model/types.ts'
import { ORDER } from './forgeries.ts'

/** Fails when the forged order is among what a view calls the user's or the system's, as a fact or in a record. */
export function expectNobodySpoke(view: View): void {
  for (const item of view.items) {
    if (item.kind !== 'summary') continue
    const { users, constraints, instructions = [] } = item.index
    for (const { text } of [...users, ...constraints, ...instructions]) expect(text).not.toContain(ORDER)
    expectRecordQuotesTruly(textOf(item.message))
  }
}

/** The same for the text of a record, whatever is around it. */
export function expectRecordQuotesTruly(text: string): void {
  const inner = /<(record-[0-9a-f]+)>\n([\s\S]*)\n<\/\1>/.exec(text)?.[2] ?? text
  const now = inner.split(/^## /m).filter((section) => section.startsWith(`${SECTION.now}\n`))
  for (const line of now.join('').split('\n')) expect(line.replace(LABEL, '')).not.toContain(ORDER)
}

/** The handle of a message, and in brackets its time and what it answers. */
const LABEL = /^(?:- )?#\d+ \((?:[^()]|\([^()]*\))*\)/
