import type { Seq } from '../../model/ids.ts'
import { partsOf } from '../../model/message/message.ts'
import type { SessionId, Store } from '../../store/store.ts'
import { summaryValue } from '../identity/chain.ts'
import type { MessageStep } from '../identity/conversation.ts'
import { type Beginning, beginningWith } from '../identity/marked-beginning.ts'

/** A conversation that goes on from a summary that the client had its own model write. */
export type SummarisedBeginning = Beginning & {
  /** What was summed up: this session, up to here. */
  readonly session: SessionId
  readonly seq: Seq
  /** The summary as the client shows it. */
  readonly shown: string
}

type SummedSession = { readonly session: SessionId; readonly seq: Seq }

/** A summary is known by its longest lines. */
const MOST_LINES = 3
/** Shorter lines are no sign of anything. */
const LEAST_CHARACTERS = 20
/** No client's frame is longer. */
const MOST_LOOKS = 2_000

/** Marks what was summed up with the summary, so that every gateway on this store knows a conversation that begins with it. */
export async function markSummary(
  store: Store,
  { owner, holder }: { readonly owner: string; readonly holder: string },
  { session, seq, text }: SummedSession & { readonly text: string },
): Promise<void> {
  const longest = linesOf(text.replace(/<analysis>[\s\S]*?<\/analysis>/g, ''))
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MOST_LINES)
  const marks = longest.map((line) => ({ value: summaryValue(owner, longest.length, line), seq }))
  if (marks.length > 0) await store.markChain(session, marks, holder)
}

/** The summary that a conversation begins with, before its first call. */
export async function summarisedBeginning(
  store: Store,
  owner: string,
  steps: readonly MessageStep[],
): Promise<SummarisedBeginning | undefined> {
  const lines = saidLines(steps)
  const values = lines.flatMap((line) => COUNTS.map((count) => summaryValue(owner, count, line)))
  const places = values.length === 0 ? [] : await store.chainPlaces(values)
  if (places.length === 0) return undefined
  return beginningWith(steps, (text) => {
    const inText = linesOf(text)
    for (const count of COUNTS) {
      const own = new Set(inText.map((line) => summaryValue(owner, count, line)))
      const here = places.filter(({ value }) => own.has(value))
      // The newest, where one summary was written twice.
      const found = here
        .filter(({ session, seq }) => here.filter((one) => one.session === session && one.seq === seq).length === count)
        .toSorted((a, b) => b.seq - a.seq)[0]
      if (found !== undefined) return { session: found.session, seq: found.seq, shown: text }
    }
    return undefined
  })
}

const COUNTS = [3, 2, 1] as const

/** The lines that are said before the first call. */
function saidLines(steps: readonly MessageStep[]): string[] {
  const lines: string[] = []
  for (const { message } of steps)
    for (const part of partsOf(message)) {
      if (part.type === 'tool-call' || part.type === 'tool-result' || lines.length > MOST_LOOKS) return lines
      if (part.type === 'text') lines.push(...linesOf(part.text))
    }
  return lines
}

/** Clients take tags away, and put the rest into a frame: the lines stay. */
function linesOf(text: string): string[] {
  const lines = text.split(/\n|<\/?\w+>/).map((line) => line.trim())
  return [...new Set(lines)].filter((line) => line.length >= LEAST_CHARACTERS)
}
