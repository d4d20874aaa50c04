import { rmSync } from 'node:fs'
import type { Message } from '../../src/model/types.ts'
import { madeUpSession } from '../cost/made-up.ts'
import { costSession, recordedSessions, type SessionSource, tokensOf } from '../cost/sessions.ts'
import type { Bench, BenchContext, Table } from '../harness/bench.ts'
import { found } from '../retention/found.ts'
import { type Work, workOf } from '../retention/work.ts'
import { type WorkText, workTable } from '../retention/work-table.ts'
import { COMPACTIONS, type LiveSession, liveSession } from './live-session.ts'
import { MADE_UP_PROMPT } from './made-up-prompt.ts'
import { REPLAY_CLIENTS } from './replay-client.ts'

const MODES = ['answer', 'rewrite'] as const
const MOST_RECORDED = 6

/** Compares the record after three compactions of a session behind the gateway with that of Pith's own agent. */
export const liveRecords: Bench = {
  name: 'gateway/records',
  what: 'How much of the work the record describes after three compactions without a model in one live session: behind the gateway, and in Pith’s own agent with the same messages, compacted at the same places.',
  async run(context) {
    const sessions = await chosen(context)
    const tables: Table[] = []
    let count = 0
    for (const mode of MODES) {
      const all: LiveSession[] = []
      for (const session of sessions)
        for (const client of REPLAY_CLIENTS) {
          context.progress(`${mode}, ${session.name}, ${client.name}`)
          const path = `${context.scratch}/${count++}.db`
          const live = await liveSession(session, client, { mode, path })
          for (const end of ['', '-wal', '-shm']) rmSync(path + end, { force: true })
          if (live !== undefined) all.push(live)
        }
      if (all.length > 0) tables.push(tableOf(mode, all))
    }
    return {
      tables,
      notes: [
        ...NOTES,
        `${sessions.length} sessions, each as ${REPLAY_CLIENTS.map(({ name }) => name).join(' and ')}.`,
      ],
    }
  },
}

const NOTES = [
  'In `answer` the client compacts at a quarter, a half and three quarters of the session, and continues with the record alone: nothing is kept after it, and Pith’s own agent keeps nothing here either. In `rewrite` the gateway compacts by its policy (at 40,000 to 80,000 tokens, without masks), and Pith’s own agent with that policy before the same requests.',
  `The questions are about everything before the third compaction. The report on \`${found.name}\` explains how answers are counted.`,
  'Goal: as much as in Pith’s own agent.',
]

function tableOf(mode: (typeof MODES)[number], all: readonly LiveSession[]): Table {
  const works = all.map(({ before, after }) => workOf({ span: before.map(numbered), after }))
  const by = (of: (live: LiveSession) => string) =>
    all.map((live, i): WorkText => ({ work: works[i] as Work, text: of(live) }))
  const records = [
    { method: 'gateway: record', texts: by(({ gateway }) => gateway.record) },
    { method: 'own agent: record', texts: by(({ own }) => own.record) },
  ]
  const views = [
    { method: 'gateway: all that is seen', texts: by(({ gateway }) => gateway.view) },
    { method: 'own agent: all that is seen', texts: by(({ own }) => own.view) },
  ]
  return workTable(`The work after ${COMPACTIONS} compactions, \`${mode}\` (%)`, [...records, ...views])
}

function numbered(message: Message, i: number) {
  return { seq: i + 1, message }
}

/** Always a made-up session, so that results can be compared, and the longest recorded ones. */
async function chosen({ transcripts, quick }: BenchContext): Promise<readonly SessionSource[]> {
  const madeUp = [
    {
      name: 'made-up',
      agent: 'made-up',
      log: madeUpSession(4, quick ? 200_000 : 300_000),
      system: MADE_UP_PROMPT,
    },
  ]
  if (transcripts.length === 0 || quick) return madeUp
  const sized = (await recordedSessions(transcripts)).map((session) => ({
    session,
    tokens: tokensOf(costSession(session)),
  }))
  const longest = sized.toSorted((a, b) => b.tokens - a.tokens).slice(0, MOST_RECORDED)
  return [...madeUp, ...longest.map(({ session }) => session)]
}
