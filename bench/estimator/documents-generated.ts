import { randomOf } from '../../src/eval/random.ts'
import type { Document } from './sample.ts'

type Random = () => number
type Line = (random: Random, words: readonly string[]) => string

/** Logs, base64 and hexadecimal text. Other log formats and other words are held out than are fitted on. */
export function generatedDocuments(): Document[] {
  return [
    ...logs(FITTED_LINES, FITTED_WORDS, false),
    ...logs(HELD_OUT_LINES, HELD_OUT_WORDS, true),
    ...records(FITTED_WORDS, false),
    ...records(HELD_OUT_WORDS, true),
    ...rareCharacters(),
    ...blobs(false, 11),
    ...blobs(true, 97),
  ]
}

function logs(formats: Record<string, Line>, words: readonly string[], heldOut: boolean): Document[] {
  return Object.entries(formats).map(([source, line], number) => {
    const random = randomOf(500 + number + (heldOut ? 50 : 0))
    return { kind: 'logs', source: `log/${source}`, heldOut, text: repeat(60_000, () => line(random, words)) }
  })
}

/** Answers of services, compact and indented. */
function records(words: readonly string[], heldOut: boolean): Document[] {
  const random = randomOf(heldOut ? 71 : 70)
  const rows = Array.from({ length: 400 }, () => (heldOut ? event(random, words) : account(random, words)))
  return [undefined, 2].map((indent) => ({
    kind: 'json',
    source: `records/${indent ?? 0}`,
    heldOut,
    text: JSON.stringify(rows, null, indent),
  }))
}

function account(r: Random, w: readonly string[]) {
  return {
    id: int(r, 99_999),
    name: `${capital(pick(r, w))} ${capital(pick(r, w))}`,
    email: `${pick(r, w)}.${pick(r, w)}@example.com`,
    created_at: iso(r),
    active: r() < 0.5,
    score: Number((r() * 100).toFixed(3)),
    tags: [pick(r, w), pick(r, w)],
    address: { city: capital(pick(r, w)), zip: String(10_000 + int(r, 80_000)), geo: [r() * 90, r() * 180] },
  }
}

function event(r: Random, w: readonly string[]) {
  return {
    eventId: uuid(r),
    type: `${pick(r, w)}.${pick(r, w)}`,
    timestamp: 1_700_000_000 + int(r, 9e7),
    data: {
      [camel(r, w)]: sentence(r, w),
      count: int(r, 500),
      url: `https://api.example.org/v2/${pick(r, w)}/${int(r, 9_999)}`,
    },
    parent: r() < 0.5 ? null : uuid(r),
    metadata: { [pick(r, w)]: pick(r, w), region: 'eu-west-1', ratio: r() },
  }
}

function blobs(heldOut: boolean, seed: number): Document[] {
  const random = randomOf(seed)
  const base64 = (size: number) => Buffer.from(bytes(size, random)).toString('base64')
  const forms: Record<string, () => string> = {
    wrapped: () => (base64(900).match(/.{1,76}/g) ?? []).join('\n'),
    unbroken: () => base64(3_000),
    url: () => Buffer.from(bytes(700, random)).toString('base64url'),
    data: () => `<img src="data:image/png;base64,${base64(500)}">`,
    binary: () => Buffer.from(Array.from({ length: 40 }, () => section(random)).flat()).toString('base64'),
    hexadecimal: () => Buffer.from(bytes(400, random)).toString('hex'),
  }
  return Object.entries(forms).map(([source, form]) => ({
    kind: 'base64',
    source: `base64/${source}`,
    heldOut,
    text: repeat(60_000, form),
  }))
}

/** Characters of scripts that the estimator does not distinguish: without them the fit would have no price for them. */
function rareCharacters(): Document[] {
  const random = randomOf(40)
  const ranges = [0x250, 0x2b0, 0x300, 0x7c0, 0x2c00, 0xa000, 0xa640, 0xe000, 0xfb00]
  const character = () => String.fromCharCode((ranges[int(random, ranges.length)] ?? 0) + int(random, 64))
  const word = () => Array.from({ length: 1 + int(random, 6) }, character).join('')
  const text = repeat(6_000, () => Array.from({ length: 10 }, word).join(' '))
  return [{ kind: 'scripts', source: 'rare', heldOut: false, text }]
}

/** Programs and images have stretches of zeros and small numbers between parts that look random. */
function section(random: Random): number[] {
  const most = random() < 0.3 ? 1 : random() < 0.5 ? 16 : 256
  return Array.from({ length: 4 + int(random, 40) }, () => int(random, most))
}

const FITTED_WORDS =
  'request failed user session loaded cache token index worker started stopped queue message handler config value file line error retry connection closed opened timeout update schema migration applied skipped record batch finished server client module build compiled watching output invalid missing required field response payload metrics scheduler'.split(
    ' ',
  )

const HELD_OUT_WORDS =
  'upstream refused certificate renewed tenant quota exceeded snapshot restored replica elected leader heartbeat dropped packet billing invoice generated customer webhook delivered signature verified mismatch partition assigned consumer lag flushed segment checkpoint written memory pressure evicted container scheduled node drained volume mounted permission denied lock acquired released deadlock detected transaction rolled back'.split(
    ' ',
  )

const FITTED_LINES: Record<string, Line> = {
  app: (r, w) =>
    `${iso(r)} ${pick(r, LEVELS)} [${pick(r, w)}-${int(r, 16)}] ${sentence(r, w)} id=${int(r, 99_999)} duration=${int(r, 4_000)}ms`,
  access: (r, w) =>
    `${ip(r)} - - [${int(r, 28)}/Mar/2025:${clock(r)} +0000] "${pick(r, ['GET', 'POST', 'PUT'])} /api/v1/${pick(r, w)}/${int(r, 9_999)}?page=${int(r, 50)} HTTP/1.1" ${pick(r, ['200', '204', '404', '500'])} ${int(r, 90_000)} "-" "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36"`,
  json: (r, w) =>
    JSON.stringify({
      level: pick(r, LEVELS).toLowerCase(),
      time: 1_700_000_000_000 + int(r, 9e9),
      pid: int(r, 32_000),
      msg: sentence(r, w),
      requestId: uuid(r),
      ok: r() < 0.5,
    }),
  stack: (r, w) =>
    `TypeError: Cannot read properties of undefined (reading '${pick(r, w)}')\n${repeat(300, () => `    at ${camel(r, w)} (/srv/app/src/${pick(r, w)}/${pick(r, w)}.ts:${int(r, 900)}:${int(r, 90)})`)}`,
  tests: (r, w) =>
    ` ${pick(r, ['✓', '✗', '×'])} test/${pick(r, w)}/${pick(r, w)}.test.ts (${int(r, 40)} tests${r() < 0.2 ? ' | 1 failed' : ''}) ${int(r, 900)}ms`,
  syslog: (r, w) =>
    `Mar ${1 + int(r, 27)} ${clock(r)} host-${int(r, 20)} ${pick(r, w)}d[${int(r, 30_000)}]: ${sentence(r, w)} (${hex(r, 12)})`,
  compiler: (r, w) =>
    `src/${pick(r, w)}/${pick(r, w)}.ts(${int(r, 400)},${int(r, 80)}): error TS${2_300 + int(r, 500)}: Property '${camel(r, w)}' does not exist on type '${capital(camel(r, w))}'.`,
  commit: (r, w) => `${hex(r, 40)} ${sentence(r, w)} (#${int(r, 4_000)})`,
  tree: (r, w) => `${pick(r, ['├── ', '│   ├── ', '│   └── ', '└── '])}${pick(r, w)}${pick(r, ['/', '.ts', '.json'])}`,
  emoji: (r, w) => `${pick(r, EMOJI)} ${capital(sentence(r, w))}${r() < 0.3 ? ` ${pick(r, EMOJI)}` : ''}`,
  colours: (r, w) =>
    `\u001b[3${int(r, 8)}m${pick(r, LEVELS)}\u001b[0m \u001b[1m${pick(r, w)}\u001b[22m ${sentence(r, w)}`,
  bars: (r, w) =>
    `${pick(r, w).padEnd(12)} ${pick(r, ['■', '●', '▓', '★']).repeat(int(r, 30))} ${int(r, 500)}  ${'█'.repeat(int(r, 20))}${'░'.repeat(int(r, 20))}`,
  box: (r, w) => `${'─'.repeat(int(r, 40))}\n│ ${pick(r, w).padEnd(14)} │ ${String(int(r, 9_999)).padStart(6)} │`,
  listing: (r, w) =>
    `-rw-r--r--  1 root root ${String(int(r, 900_000)).padStart(8)} Mar ${1 + int(r, 27)} ${clock(r).slice(0, 5)} ${pick(r, w)}-${pick(r, w)}.${pick(r, ['ts', 'json', 'md', 'log'])}`,
}

const HELD_OUT_LINES: Record<string, Line> = {
  python: (r, w) =>
    `${date(r)} ${clock(r)},${int(r, 1_000)} - ${pick(r, w)}.${pick(r, w)} - ${pick(r, LEVELS)} - ${sentence(r, w)}: ${int(r, 100)} of ${int(r, 10_000)}`,
  java: (r, w) =>
    `${clock(r)}.${int(r, 1_000)} [main] ${pick(r, LEVELS)} com.example.${pick(r, w)}.${capital(camel(r, w))} - ${sentence(r, w)}\n${repeat(250, () => `\tat com.example.${pick(r, w)}.${capital(camel(r, w))}.${camel(r, w)}(${capital(camel(r, w))}.java:${int(r, 700)})`)}`,
  kubernetes: (r, w) =>
    `I0${100 + int(r, 900)} ${clock(r)}.${int(r, 999_999)}       1 ${pick(r, w)}.go:${int(r, 900)}] "${sentence(r, w)}" pod="${pick(r, w)}/${pick(r, w)}-${hex(r, 10)}-${hex(r, 5)}" err="context deadline exceeded"`,
  pytest: (r, w) =>
    `tests/test_${pick(r, w)}.py::Test${capital(pick(r, w))}::test_${pick(r, w)}_${pick(r, w)} ${pick(r, ['PASSED', 'FAILED', 'SKIPPED'])} [ ${int(r, 100)}%]`,
  traceback: (r, w) =>
    `Traceback (most recent call last):\n${repeat(300, () => `  File "/usr/lib/python3.12/site-packages/${pick(r, w)}/${pick(r, w)}.py", line ${int(r, 900)}, in ${pick(r, w)}_${pick(r, w)}\n    self.${pick(r, w)}.${pick(r, w)}(${pick(r, w)}, ${pick(r, w)}=None)`)}\nValueError: ${sentence(r, w)}`,
  structured: (r, w) =>
    `time="${iso(r)}" level=${pick(r, LEVELS).toLowerCase()} msg="${sentence(r, w)}" component=${pick(r, w)} trace_id=${hex(r, 32)} latency=${int(r, 100)}.${int(r, 999_999)}ms`,
  cargo: (r, w) =>
    `   Compiling ${pick(r, w)}-${pick(r, w)} v${int(r, 4)}.${int(r, 40)}.${int(r, 20)} (/home/dev/${pick(r, w)})`,
  progress: (r, w) => {
    const done = int(r, 30)
    return `\u001b[2K${capital(pick(r, w))} [${'█'.repeat(done)}${'░'.repeat(30 - done)}] ${int(r, 100)}% ${pick(r, EMOJI)}`
  },
  table: (r, w) =>
    `| ${pick(r, w).padEnd(16)} | ${String(int(r, 99_999)).padStart(8)} | ${pick(r, EMOJI)} ${sentence(r, w)} |`,
  numbers: (r) => Array.from({ length: 8 }, () => (r() * 1_000).toFixed(int(r, 6))).join('\t'),
}

const LEVELS = ['INFO', 'WARN', 'ERROR', 'DEBUG']

const EMOJI = [...'✅❌🚀🎉🔥💡📦🐛🔧📝🤔👍😀🙏🧪📊🟢🔴💥🧹📁🔍🎯🌍🕒🦀🐍']

function repeat(atLeast: number, line: () => string): string {
  const lines: string[] = []
  for (let length = 0; length < atLeast; length += (lines.at(-1)?.length ?? 0) + 1) lines.push(line())
  return lines.join('\n')
}

function bytes(size: number, random: Random): number[] {
  return Array.from({ length: size }, () => int(random, 256))
}

function int(random: Random, below: number): number {
  return Math.floor(random() * below)
}

function pick(random: Random, from: readonly string[]): string {
  return from[int(random, from.length)] ?? ''
}

function sentence(random: Random, words: readonly string[]): string {
  return Array.from({ length: 3 + int(random, 7) }, () => pick(random, words)).join(' ')
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

function camel(random: Random, words: readonly string[]): string {
  return pick(random, words) + capital(pick(random, words))
}

function hex(random: Random, length: number): string {
  return Array.from({ length }, () => int(random, 16).toString(16)).join('')
}

function uuid(random: Random): string {
  return [8, 4, 4, 4, 12].map((length) => hex(random, length)).join('-')
}

function ip(random: Random): string {
  return Array.from({ length: 4 }, () => int(random, 256)).join('.')
}

function two(number: number): string {
  return String(number).padStart(2, '0')
}

function clock(random: Random): string {
  return [24, 60, 60].map((most) => two(int(random, most))).join(':')
}

function date(random: Random): string {
  return `2025-${two(1 + int(random, 12))}-${two(1 + int(random, 28))}`
}

function iso(random: Random): string {
  return `${date(random)}T${clock(random)}.${String(int(random, 1_000)).padStart(3, '0')}Z`
}
