import { counted } from '../../engine/report/numbers.ts'
import { previewLines } from '../../engine/report/preview-text.ts'
import { unreachable } from '../../model/errors.ts'
import type { Answer, PermissionQuestion, Question } from '../port/port-data.ts'
import { safeText } from '../port/safe-text.ts'
import { wrapped } from './block-lines.ts'
import { type Choice, ChoicePart } from './choice.ts'
import { NO_LIMIT } from './frame-budget.ts'
import type { Theme } from './theme.ts'
import { diffLines } from './tool-lines.ts'

export type QuestionOptions = {
  readonly theme: () => Theme
  readonly onAnswer: (answer: Answer) => void
  readonly onCancel: () => void
}

/** The part that asks a question. */
export function questionPart(question: Question, options: QuestionOptions): ChoicePart<AnswerChoice> {
  const { theme, onAnswer, onCancel } = options
  return new ChoicePart<AnswerChoice>({
    theme,
    onCancel,
    question: (width) => textOf(question, width, theme()),
    choices: question.kind === 'permission' ? permissionChoices(question) : COMPACTION_CHOICES,
    onChoose: ({ answer }, text) => onAnswer(answer(text)),
  })
}

type AnswerChoice = Choice & { readonly answer: (text: string) => Answer }

function permissionChoices({ rule }: PermissionQuestion): AnswerChoice[] {
  const forGood: AnswerChoice[] =
    rule === undefined
      ? []
      : [
          { key: 'a', label: `always, for this workspace (${rule})`, answer: () => ({ kind: 'always' }) },
          { key: 'n', label: `never, for this workspace (${rule})`, answer: () => ({ kind: 'never' }) },
        ]
  return [
    { key: 'o', label: 'once', answer: () => ({ kind: 'once' }) },
    ...forGood,
    {
      key: 't',
      label: 'no, and tell the agent what to do',
      asks: 'What should the agent do instead?',
      answer: (text) => ({ kind: 'tell', text }),
    },
  ]
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

function textOf(question: Question, width: number, theme: Theme): string[] {
  switch (question.kind) {
    case 'permission':
      return permissionLines(question, width, theme)
    case 'compaction':
      return [
        theme.paint('The context is nearly full. Compact it now?', 'warning'),
        ...previewLines(question.preview).flatMap((line) => wrapped(line, width)),
      ]
    default:
      return unreachable(question)
  }
}

const TITLES: Readonly<Record<PermissionQuestion['action'], string>> = {
  read: 'The agent wants to read',
  edit: 'The agent wants to change',
  command: 'The agent wants to run',
}

const DIFF_LINES = 16
const COMMAND_LINES = 12

function permissionLines({ action, target, outside, diff }: PermissionQuestion, width: number, theme: Theme): string[] {
  const where = outside ? theme.paint(' (outside of the workspace)', 'error') : ''
  const title = `${theme.paint(TITLES[action], 'warning')}${where}`
  const lines = wrapped(safeText(target), width - 4)
  const shown = lines.slice(0, COMMAND_LINES).map((line) => `  ${theme.paint(line, 'bold')}`)
  const rest =
    lines.length > COMMAND_LINES
      ? [theme.paint(`  … ${counted(lines.length - COMMAND_LINES, 'more line')}`, 'muted')]
      : []
  const change =
    diff === undefined ? [] : diffLines(safeText(diff), { width, theme, unfolded: false, budget: NO_LIMIT }, DIFF_LINES)
  return [title, ...shown, ...rest, ...change]
}
