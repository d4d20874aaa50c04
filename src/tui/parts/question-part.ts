import { previewLines } from '../../engine/report/preview-text.ts'
import { unreachable } from '../../model/problems/errors.ts'
import type { Answer, PermissionQuestion, Question, TrustQuestion } from '../port/port-data.ts'
import { visibleText } from '../port/safe-text.ts'
import { type Choice, ChoicePart } from './choice.ts'
import { diffLines } from './diff-lines.ts'
import type { Theme } from './theme.ts'
import { wrapped } from './wrapped.ts'

export type QuestionOptions = {
  readonly theme: () => Theme
  /** The most rows that the part may take at this width. */
  readonly rows: (width: number) => number
  readonly onAnswer: (answer: Answer) => void
  readonly onCancel: () => void
}

/** The part that asks a question. */
export function questionPart(question: Question, options: QuestionOptions): ChoicePart<AnswerChoice> {
  const { theme, rows, onAnswer, onCancel } = options
  return new ChoicePart<AnswerChoice>({
    theme,
    rows,
    onCancel,
    title: (width) => titleOf(question, width, theme()),
    text: (width) => textOf(question, width, theme()),
    choices: choicesFor(question),
    onChoose: ({ answer }, text) => onAnswer(answer(text)),
  })
}

type AnswerChoice = Choice & { readonly answer: (text: string) => Answer }

function choicesFor(question: Question): readonly AnswerChoice[] {
  switch (question.kind) {
    case 'permission':
      return permissionChoices(question)
    case 'compaction':
      return COMPACTION_CHOICES
    case 'trust':
      return TRUST_CHOICES
    default:
      return unreachable(question)
  }
}

/** The first one is chosen by Enter: a key pressed by habit starts nothing. */
const TRUST_CHOICES: readonly AnswerChoice[] = [
  { key: 'l', label: 'not now', answer: () => ({ kind: 'later' }) },
  {
    key: 'y',
    label: 'start them, while the file stays as it is',
    needsReading: true,
    answer: () => ({ kind: 'trusted' }),
  },
  { key: 'n', label: 'never, while the file stays as it is', answer: () => ({ kind: 'refused' }) },
]

function permissionChoices({ rule }: PermissionQuestion): AnswerChoice[] {
  const forGood: AnswerChoice[] =
    rule === undefined
      ? []
      : [
          {
            key: 'a',
            label: forWorkspace('always', rule),
            needsReading: true,
            answer: () => ({ kind: 'always' }),
          },
          { key: 'n', label: forWorkspace('never', rule), answer: () => ({ kind: 'never' }) },
        ]
  return [
    { key: 'o', label: 'once', needsReading: true, answer: () => ({ kind: 'once' }) },
    ...forGood,
    {
      key: 't',
      label: 'no, and tell the agent what to do',
      asks: 'What should the agent do instead?',
      answer: (text) => ({ kind: 'tell', text }),
    },
  ]
}

function forWorkspace(answer: 'always' | 'never', rule: string): string {
  return `${answer}, for this workspace (${visibleText(rule).replaceAll('\n', ' ')})`
}

const COMPACTION_CHOICES: readonly AnswerChoice[] = [
  { key: 'c', label: 'compact', answer: () => ({ kind: 'compact' }) },
  {
    key: 'f',
    label: 'compact with a focus',
    asks: 'What should the summary pay attention to?',
    answer: (text) => ({ kind: 'compact', focus: text.trim() || undefined }),
  },
  { key: 'l', label: 'later', answer: () => ({ kind: 'later' }) },
  { key: 'o', label: 'off: no automatic compaction in this session', answer: () => ({ kind: 'off' }) },
]

function titleOf(question: Question, width: number, theme: Theme): string[] {
  switch (question.kind) {
    case 'permission':
      return permissionTitle(question, width, theme)
    case 'trust':
      return wrapped(theme.paint(`${visibleText(question.file)} names MCP servers. Start them?`, 'warning'), width)
    case 'compaction':
      return wrapped(theme.paint('The context is nearly full. Compact it now?', 'warning'), width)
    default:
      return unreachable(question)
  }
}

function textOf(question: Question, width: number, theme: Theme): string[] {
  if (question.kind === 'trust') return trustLines(question, width, theme)
  return question.kind === 'permission'
    ? permissionLines(question, width, theme)
    : previewLines(question.preview).flatMap((line) => wrapped(line, width))
}

/** A long line continues further in than any line begins, so that no part of it is taken for a line of its own. */
function trustLines({ servers }: TrustQuestion, width: number, theme: Theme): string[] {
  return [
    ...servers.flatMap(({ name, lines }) => [
      ...hanging(visibleText(name), width).map((row) => theme.paint(row, 'bold')),
      ...lines.flatMap((line) => hanging(visibleText(line), width, '    ')),
    ]),
    ...hanging(OUTSIDE, width).map((row) => theme.paint(row, 'muted')),
  ]
}

const OUTSIDE = 'Programs run as you and outside of the sandbox. They get your environment, without the keys of models.'

const TITLES: Readonly<Record<PermissionQuestion['action'], string>> = {
  read: 'The agent wants to read',
  edit: 'The agent wants to change',
  command: 'The agent wants to run',
  tool: 'The agent wants to call',
}

function permissionTitle({ action, outside }: PermissionQuestion, width: number, theme: Theme): string[] {
  const wall = action === 'command' ? 'sandbox' : 'workspace'
  const where = outside ? theme.paint(` (outside of the ${wall})`, 'error') : ''
  return wrapped(`${theme.paint(TITLES[action], 'warning')}${where}`, width)
}

/** All of what is asked: nothing is left out, cut off or invisible. */
function permissionLines({ target, diff = '' }: PermissionQuestion, width: number, theme: Theme): string[] {
  const asked = visibleText(target)
    .split('\n')
    .map((line) => [line, 'bold'] as const)
  return [...asked, ...diffLines(visibleText(diff))].flatMap(([line, tone]) =>
    hanging(line, width).map((row) => theme.paint(row, tone)),
  )
}

/** A line in as many rows as it takes. The rows after the first are further in, so that they are not taken for lines. */
function hanging(line: string, width: number, indent = '  '): string[] {
  const further = `${indent}  `
  const [first = '', ...rest] = wrapped(line, Math.max(1, width - further.length))
  return [indent + first, ...rest.map((row) => further + row)]
}
