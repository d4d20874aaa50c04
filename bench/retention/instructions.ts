import { logOf } from '../../src/engine/context/view/log.ts'
import { compact, type Entry, type Message, messagesOf, type SummaryModel, viewOf } from '../../src/engine.ts'
import { shownBy, squashed } from '../../src/eval/probes/shown.ts'
import type { Bench, BenchContext, BenchResult } from '../harness/bench.ts'
import { type Session, sessionsIn } from './material.ts'

/** A file that is planted into a session, and whether it is an instruction by convention. */
const FILES = [
  { path: 'packages/core/AGENTS.md', isConvention: true },
  { path: 'CONTRIBUTING.md', isConvention: true },
  { path: 'POLICY.md', isConvention: true },
  { path: '.claude/skills/release/SKILL.md', isConvention: true },
  { path: 'docs/review-policy.md', isConvention: false },
  { path: 'web/CLAUDE.md', isConvention: true },
  { path: '.github/copilot-instructions.md', isConvention: true },
  { path: '.cursorrules', isConvention: true },
  { path: 'GEMINI.md', isConvention: true },
  { path: 'HACKING.md', isConvention: false },
] as const

/** Shares of a session's messages at which a file is read. */
const PLACES = [0, 0.15, 0.3, 0.45, 0.6] as const

/** How agents read a file: the tool, its arguments and its result. */
const READS: readonly ((path: string, text: string) => readonly [tool: string, input: unknown, output: string])[] = [
  (path, text) => ['Read', { file_path: path }, numbered(text, (i) => `${String(i).padStart(6)}→`)],
  (path, text) => ['bash', { command: `cat ${path}` }, text],
  (path, text) => [
    'read',
    { filePath: path },
    `<file>\n${numbered(text, (i) => `${String(i).padStart(5, '0')}| `)}\n</file>`,
  ],
  (path, text) => ['exec_command', { cmd: `sed -n '1,200p' ${path}` }, `Process exited with code 0\nOutput:\n${text}`],
  (path, text) => ['view', { path }, numbered(text, (i) => `${i}. `)],
]

function numbered(text: string, number: (line: number) => string): string {
  return text
    .split('\n')
    .map((line, i) => `${number(i + 1)}${line}`)
    .join('\n')
}

type Planted = (typeof FILES)[number] & { readonly at: number; readonly rule: string; readonly messages: Message[] }

function planted(seed: number, place: number, count: number): Planted {
  const file = FILES[(seed + place) % FILES.length] ?? FILES[0]
  const rule = `Ticket ${1000 + seed * 7}-${place} must be named in every commit, and never in a branch.`
  const text = [
    '# How we work here',
    '',
    'Keep changes small.',
    '',
    `- ${rule}`,
    '- Ask before adding a dependency.',
  ].join('\n')
  const [toolName, input, value] = (READS[(seed * 3 + place) % READS.length] ?? READS[0])?.(file.path, text) ?? [
    '',
    {},
    '',
  ]
  const toolCallId = `planted-${seed}-${place}`
  return {
    ...file,
    rule,
    at: Math.floor(count * (PLACES[place] ?? 0)),
    messages: [
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId, toolName, input }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value } }] },
    ],
  }
}

/** The session with files that its agent reads on the way. A file is read between two steps, never inside one. */
function withFiles(messages: readonly Message[], files: readonly Planted[]): Message[] {
  const open = [...files]
  const all: Message[] = []
  for (const [i, message] of messages.entries()) {
    const isBetween = i > 0 && message.role !== 'tool'
    while (isBetween && open[0] !== undefined && open[0].at <= i) all.push(...(open.shift()?.messages ?? []))
    all.push(message)
  }
  return all
}

type Kept = { readonly file: Planted; readonly isNamed: boolean; readonly hasRule: boolean }

/** The planted files that the view still shows after this many compactions in a row, each after the session has gone on. */
async function keptIn(
  messages: readonly Message[],
  files: readonly Planted[],
  rounds: number,
  model?: SummaryModel,
): Promise<Kept[]> {
  let log: readonly Entry[] = logOf(withFiles(messages, files))
  for (let round = 0; round < rounds; round++) {
    const result = await compact({
      log,
      model: { contextWindow: 200_000 },
      ...(model === undefined ? {} : { summaryModels: [model] }),
    })
    log = [...log, ...result.entries]
    if (round < rounds - 1) log = withMore(log, messages.slice(0, MORE))
  }
  const { flat } = shownBy(messagesOf(viewOf(log)))
  return files.map((file) => ({
    file,
    isNamed: flat.includes(squashed(file.rule)) || handlesOf(flat, file.path),
    hasRule: flat.includes(squashed(file.rule)),
  }))
}

/** True if a handle is right before the path. */
function handlesOf(flat: string, path: string): boolean {
  return flat.split(` ${path}`).some((before, i, parts) => i < parts.length - 1 && /#\d+$/.test(before))
}

/** Messages of the session that are repeated as its next part. */
const MORE = 120

function withMore(log: readonly Entry[], messages: readonly Message[]): Entry[] {
  const last = log.at(-1)?.seq ?? 0
  const more = logOf(messages).map((entry, i) => ({ ...entry, id: `${entry.id}-${last}`, seq: last + i + 1 }))
  return [...log, ...more]
}

const LEAST_MESSAGES = 60

async function run({ transcripts, quick, progress }: BenchContext): Promise<BenchResult> {
  const totals = new Map<number, Kept[]>([1, 3].map((rounds) => [rounds, []]))
  let seed = 0
  for await (const session of sessionsIn(transcripts, quick)) {
    const messages = conversation(session)
    if (messages.length < LEAST_MESSAGES) continue
    progress(`instructions in ${session.name}`)
    const files = PLACES.map((_, place) => planted(seed, place, messages.length))
    seed++
    for (const [rounds, kept] of totals) kept.push(...(await keptIn(messages, files, rounds)))
  }
  const share = (all: readonly Kept[], is: (one: Kept) => boolean) => `${all.filter(is).length} of ${all.length}`
  return {
    tables: [
      {
        title: 'Instruction files that were read and left the view',
        columns: ['compactions', 'named with handle', 'rules of convention files in the view'],
        rows: [...totals].map(([rounds, all]) => [
          rounds,
          share(all, ({ isNamed }) => isNamed),
          share(
            all.filter(({ file }) => file.isConvention),
            ({ hasRule }) => hasRule,
          ),
        ]),
      },
    ],
    notes: [
      `${seed} sessions, ${PLACES.length} files in each, read with the tools of five agents at ${PLACES.map((place) => `${place * 100} %`).join(', ')} of the messages; no model.`,
    ],
    data: Object.fromEntries(
      [...totals].map(([rounds, all]) => [
        rounds,
        all
          .filter(({ isNamed, hasRule, file }) => !isNamed || (file.isConvention && !hasRule))
          .map(({ file }) => file.path),
      ]),
    ),
  }
}

/** The messages of a session as if it had never been compacted. */
function conversation({ entries }: Session): Message[] {
  return entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
}

export const instructions: Bench = {
  name: 'retention/instructions',
  what: 'Rules in files that the agent read: what is left of them after a compaction, and after three.',
  run,
}
