import { clip, handle, oneLine } from '../../../model/text.ts'
import type { IdentifierFact, Index, PrintedLine, Seq } from '../../../model/types.ts'
import type { ErrorState } from '../../extract/error-state.ts'
import type { Failure, KnownIndex } from '../../extract/known-index.ts'
import { checkKind, type KnownCommand, withoutRemarks } from '../../extract/ledger/command-kind.ts'
import { escaped, pathLine } from '../escape.ts'
import { HEADING, SECTION } from '../sections/section-titles.ts'
import type { RecordLine } from './line.ts'
import { openFailures } from './state-lines.ts'

/** Lines about what tools did and printed: commands with how they ended, failures that are over, addresses, and lines of output. */
export function outputLines(known: KnownIndex): RecordLine[] {
  return [
    ...commandLines(known.commands),
    ...addressLines(known.index),
    ...failedLines(known.failures),
    ...printedLines(known.index.printed ?? []),
  ]
}

/** Each command once, as it ended last. The last runs of checks are shown with the state. */
function commandLines(commands: readonly KnownCommand[]): RecordLine[] {
  const last = new Map(commands.map(({ fact, check }) => [firstLine(fact.command), { fact, check }]))
  return [...last].flatMap(
    ([
      text,
      {
        fact: { seq, ok, exit },
        check,
      },
    ]): RecordLine[] => {
      if (check !== undefined || text === '') return []
      // A filter hides how a check ended; of any other command its own status is enough.
      const isOk = ok ?? (exit === 0 ? true : undefined)
      const end = isOk === undefined ? 'its end is not known' : isOk ? 'ok' : 'failed'
      return [
        {
          section: SECTION.nextSteps,
          heading: HEADING.commands,
          from: [seq],
          order: -seq,
          levels: COMMAND.length,
          render: (level) => `- ${escaped(`\`${clip(text, COMMAND[level] ?? 90)}\``)} ${end} (${handle(seq)})`,
          kind: 'command',
        },
      ]
    },
  )
}

const COMMAND = [160, 90] as const

/** The other lines are mostly texts that were given to a command. */
function firstLine(command: string): string {
  return (withoutRemarks(command).trim().split('\n', 1)[0] ?? '').trim()
}

function addressLines(index: Index): RecordLine[] {
  return index.identifiers.filter(isAddress).map((fact) => ({
    section: SECTION.nextSteps,
    heading: HEADING.addresses,
    from: [fact.seq],
    order: -fact.seq,
    levels: 1,
    render: () => addressText(fact),
    label: '',
    kind: fact.kind,
    times: fact.times,
  }))
}

function isAddress({ kind, text, times = 1 }: IdentifierFact): boolean {
  if (kind === 'hash') return times > 1
  return kind === 'url' || kind === 'port' || kind === 'version' || (kind === 'issue' && text.length <= 6)
}

function addressText({ kind, text }: IdentifierFact): string {
  const name = oneLine(text, 200)
  return kind === 'port' ? `port ${name}` : name
}

/** Failures that are over: each text once, as it was printed last, with what became of it. */
function failedLines(failures: readonly Failure[]): RecordLine[] {
  const open = new Set(openFailures(failures))
  const once = new Map(failures.filter(({ error }) => !open.has(error)).map((failure) => [failure.error.text, failure]))
  return [...once.values()].flatMap((failure): RecordLine[] => {
    const { seq, text } = failure.error
    const [, ...more] = text.split('\n')
    const line = {
      section: SECTION.nextSteps,
      heading: HEADING.failed,
      from: entriesOf(failure),
      kind: 'failed' as const,
    }
    return [
      { ...line, order: -seq, levels: FAILED.length, render: (level) => failedLine(failure, FAILED[level] ?? 110) },
      ...more.map((one, i) => ({
        ...line,
        order: -seq + (i + 1) / (more.length + 1),
        levels: 1,
        render: () => `- ${handle(seq)} ${escaped(clip(one, FAILED[0]))}`,
      })),
    ]
  })
}

/** The failure, the call that failed, and the one that ended it, which the line names. */
function entriesOf({ error: { seq, call }, fate }: Failure): Seq[] {
  return [seq, ...(call === undefined ? [] : [call]), ...(fate.kind === 'open' ? [] : [fate.seq])]
}

const FAILED = [200, 100] as const

function failedLine({ error, fate }: Failure, characters: number): string {
  // How a check ended last is said with the checks.
  const command = checkKind(error.command ?? '') === undefined ? firstLine(error.command ?? '') : ''
  const label = command === '' ? '' : `\`${clip(command, characters * 0.3)}\`: `
  const text = `${label}${clip(firstLine(error.text), characters * 0.7)}${fateText(fate, characters * 0.3)}`
  return `- ${handle(error.seq)} ${escaped(text)}`
}

function fateText(state: ErrorState, characters: number): string {
  switch (state.kind) {
    case 'passed':
      return ` → passed later (${handle(state.seq)})`
    case 'fixed':
      return ` → \`${clip(firstLine(state.command), characters)}\` passed (${handle(state.seq)})`
    case 'changed':
      return ` → ${pathLine(state.path.split('/').slice(-2).join('/'))} was changed (${handle(state.seq)})`
    case 'open':
      return ''
  }
}

/** Lines of tools' output that state a value, or that have names which were used again. */
function printedLines(lines: readonly PrintedLine[]): RecordLine[] {
  return lines.map((line) => {
    const { seq, file, text, call } = line
    return {
      section: SECTION.elsewhere,
      heading: HEADING.printed,
      from: [seq, ...(call === undefined ? [] : [call])],
      order: -seq,
      levels: 1,
      render: () => `- ${handle(seq)} ${file === undefined ? '' : `(${file}) `}${escaped(text)}`,
      kind: 'printed',
      times: line.times,
    }
  })
}
