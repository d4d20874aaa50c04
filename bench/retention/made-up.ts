import { logOf, type Message } from '../../src/engine.ts'
import { randomOf } from '../../src/eval/random.ts'
import type { Session } from './material.ts'

/** A session of about 80,000 tokens about a made-up program: requests, files, commands that fail and pass, to-dos. */
export function madeUpSession(seed: number): Session {
  const random = randomOf(seed)
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const messages: Message[] = []
  for (let turn = 0; turn < 30; turn++) messages.push(...turnOf(turn, { random, pick }))
  return { name: `made-up-${seed}`, entries: logOf(messages) }
}

type Chance = { readonly random: () => number; readonly pick: <T>(all: readonly T[]) => T }

const PARTS = ['parser', 'router', 'billing', 'session', 'export', 'search', 'mailer', 'ledger'] as const
const VERBS = ['load', 'merge', 'split', 'count', 'render', 'verify', 'flush', 'resolve'] as const
const NOUNS = ['Invoice', 'Token', 'Header', 'Queue', 'Cursor', 'Draft', 'Page', 'Batch'] as const

function turnOf(turn: number, chance: Chance): Message[] {
  const { pick, random } = chance
  const [part, verb, noun] = [pick(PARTS), pick(VERBS), pick(NOUNS)]
  const name = `${verb}${noun}`
  const file = `src/${part}/${verb}-${noun.toLowerCase()}.ts`
  const number = Math.floor(random() * 900) + 100
  const limit = pick([
    'never change the public types',
    'always keep the old format readable',
    'do not add dependencies',
  ])
  const request = `Please make \`${name}\` in ${file} handle case ${number}: see https://tracker.example/issues/${number}. You must ${limit} in ${part}.`
  const todos = [turn - 1, turn, turn + 1].map((one, i) => ({
    content: `Handle step ${one} of the ${part}`,
    status: ['completed', 'in_progress', 'pending'][i],
  }))
  const hash = Math.floor(random() * 0xfffffff)
    .toString(16)
    .padStart(7, 'a')
  const steps: Message[] = [
    ...call(`t${turn}`, 'TodoWrite', { todos }, 'Todos have been modified.'),
    ...call(`r${turn}`, 'Read', { file_path: `/app/${file}` }, source(name, chance)),
    ...call(`o${turn}`, 'Read', { file_path: `/app/src/${pick(PARTS)}/index.ts` }, source(pick(VERBS), chance)),
    ...call(
      `e${turn}`,
      'Edit',
      { file_path: `/app/${file}`, old_string: name, new_string: `${name}Safely` },
      'The file was updated.',
    ),
    ...call(
      `f${turn}`,
      'Bash',
      { command: `npm test -- ${part}/${verb}` },
      `Exit code 1\n${output(chance)}\nTypeError: ${name} is not a function (case ${number})`,
      true,
    ),
    ...call(`p${turn}`, 'Bash', { command: `npm test -- ${part}/${verb}` }, `${output(chance)}\n${number} passed`),
    ...call(
      `c${turn}`,
      'Bash',
      { command: `git commit -am "${name} handles case ${number}"` },
      `[main ${hash}] ${name} handles case ${number}`,
    ),
  ]
  const answer = `\`${name}\` failed because \`${noun}Cache\` was read before it was filled. I fixed it in ${file}, commit ${hash}, released as ${turn}.${number % 10}.${number % 7}.`
  return [{ role: 'user', content: request }, ...steps, { role: 'assistant', content: answer }]
}

function call(id: string, toolName: string, input: Record<string, unknown>, value: string, failed = false): Message[] {
  const output = { type: failed ? ('error-text' as const) : ('text' as const), value }
  return [
    { role: 'assistant', content: [{ type: 'tool-call', toolCallId: id, toolName, input }] },
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: id, toolName, output }] },
  ]
}

function source(name: string, { random, pick }: Chance): string {
  const line = (i: number) =>
    `  const ${pick(VERBS)}${i} = ${name}(${Math.floor(random() * 1e6)}, '${pick(NOUNS)}') // ${pick(PARTS)}`
  return Array.from({ length: 60 }, (_, i) => line(i)).join('\n')
}

function output({ random, pick }: Chance): string {
  return Array.from(
    { length: 30 },
    () => `✓ ${pick(PARTS)} ${pick(VERBS)}s ${pick(NOUNS)} (${Math.floor(random() * 90)} ms)`,
  ).join('\n')
}
