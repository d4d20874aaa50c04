import { Input } from '@earendil-works/pi-tui/dist/components/input.js'
import { matchesKey } from '@earendil-works/pi-tui/dist/keys.js'
import type { Component, Focusable } from '@earendil-works/pi-tui/dist/tui.js'
import { truncateToWidth } from '@earendil-works/pi-tui/dist/utils.js'
import { previewLines } from '../../engine/report/outcome.ts'
import { unreachable } from '../../model/problems/errors.ts'
import { type Answer, line, type PermissionQuestion, type Question, type TrustQuestion } from '../port/port.ts'
import { visibleText } from '../port/safe-text.ts'
import { diffLines } from './diff-lines.ts'
import { PagedText } from './paged-text.ts'
import { paintLine, type Theme, wrapped } from './theme.ts'

export type QuestionOptions = {
  readonly theme: () => Theme
  /** The most rows that the part may take at this width. */
  readonly rows: (width: number) => number
  readonly onAnswer: (answer: Answer) => void
  readonly onCancel: () => void
}

/** One answer. With `asks`, the user is asked to type a text for it. */
type Choice = {
  readonly key: string
  readonly label: string
  readonly asks?: string
  /** True when it cannot be chosen before the end of the question was shown. */
  readonly needsReading?: boolean
  readonly answer: (text: string) => Answer
}

function choicesFor(question: Question): readonly Choice[] {
  switch (question.kind) {
    case 'permission':
      return permissionChoices(question)
    case 'compaction':
      return COMPACTION_CHOICES
    case 'trust':
      return TRUST_CHOICES
    case 'plan':
      return PLAN_CHOICES
    default:
      return unreachable(question)
  }
}

/** Enter chooses the first one, so that a key pressed by habit starts nothing. */
const TRUST_CHOICES: readonly Choice[] = [
  { key: 'l', label: 'not now', answer: () => ({ kind: 'later' }) },
  {
    key: 'y',
    label: 'start them, while the file stays as it is',
    needsReading: true,
    answer: () => ({ kind: 'trusted' }),
  },
  { key: 'n', label: 'never, while the file stays as it is', answer: () => ({ kind: 'refused' }) },
]

const PLAN_CHOICES: readonly Choice[] = [
  {
    key: 'y',
    label: 'yes: it becomes the to-do list, and the agent begins',
    needsReading: true,
    answer: () => ({ kind: 'accepted' }),
  },
  { key: 'c', label: 'change it', asks: 'What should be different?', answer: (text) => ({ kind: 'tell', text }) },
  { key: 'n', label: 'no, and stay in plan mode', answer: () => ({ kind: 'refused' }) },
]

function permissionChoices({ rule, prefix, never, session }: PermissionQuestion): Choice[] {
  const inSession = session === 'edits' ? 'all edits in this session' : 'this, in this session'
  return [
    { key: 'o', label: 'once', needsReading: true, answer: () => ({ kind: 'once' }) },
    ...(session === undefined ? [] : [allowing('s', 'session', inSession)]),
    ...(rule === undefined ? [] : [allowing('a', 'always', withRule('always', rule))]),
    ...(prefix === undefined ? [] : [allowing('p', 'prefix', withRule('always', prefix))]),
    ...(never === undefined
      ? []
      : [{ key: 'n', label: withRule('never', never), answer: () => ({ kind: 'never' as const }) }]),
    {
      key: 't',
      label: 'no, and tell the agent what to do',
      asks: 'What should the agent do instead?',
      answer: (text) => ({ kind: 'tell', text }),
    },
  ]
}

function allowing(key: string, kind: 'session' | 'always' | 'prefix', label: string): Choice {
  return { key, label, needsReading: true, answer: () => ({ kind }) }
}

function withRule(answer: string, rule: string): string {
  return `${answer} (${visibleText(rule).replaceAll('\n', ' ')})`
}

const COMPACTION_CHOICES: readonly Choice[] = [
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
    case 'plan':
      return wrapped(theme.paint('The agent plans this. Accept it?', 'warning'), width)
    case 'compaction':
      return wrapped(theme.paint('The context is nearly full. Compact it now?', 'warning'), width)
    default:
      return unreachable(question)
  }
}

function textOf(question: Question, width: number, theme: Theme): string[] {
  if (question.kind === 'trust') return trustLines(question, width, theme)
  if (question.kind === 'plan')
    return question.steps.flatMap((step, i) => hanging(`${i + 1}. ${visibleText(step)}`, width))
  return question.kind === 'permission'
    ? permissionLines(question, width, theme)
    : previewLines(question.preview).flatMap((line) => wrapped(line, width))
}

/** A long line continues with a deeper indent than any line begins with, so that no part of it looks like a separate line. */
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
  read: 'wants to read',
  edit: 'wants to change',
  command: 'wants to run',
  tool: 'wants to call',
}

function permissionTitle({ action, outside, by, note }: PermissionQuestion, width: number, theme: Theme): string[] {
  const boundary = action === 'command' ? 'sandbox' : 'workspace'
  const where = outside ? theme.paint(` (outside of the ${boundary})`, 'error') : ''
  const who = by === undefined ? 'The agent' : `The sub-agent ${by}`
  return [
    ...wrapped(`${theme.paint(`${who} ${TITLES[action]}`, 'warning')}${where}`, width),
    ...(note === undefined ? [] : wrapped(theme.paint(visibleText(note), 'warning'), width)),
  ]
}

/** The complete request: nothing is left out, cut off or invisible. */
function permissionLines({ target, diff = '' }: PermissionQuestion, width: number, theme: Theme): string[] {
  const asked = visibleText(target)
    .split('\n')
    .map((text) => line(text, 'bold'))
  return [...asked, ...diffLines(visibleText(diff), target)].flatMap((each) => hanging(paintLine(each, theme), width))
}

/** A line in as many rows as it needs. The rows after the first have a deeper indent, so that they do not look like separate lines. */
function hanging(line: string, width: number, indent = '  '): string[] {
  const further = `${indent}  `
  const [first = '', ...rest] = wrapped(line, Math.max(1, width - further.length))
  return [indent + first, ...rest.map((row) => further + row)]
}

const LABEL_COLUMN = 5
const LABEL_INDENT = ' '.repeat(LABEL_COLUMN)
/** A rule for a long command would push the question off the screen. */
const MOST_LABEL_ROWS = 3

/** The rows of an answer. The user has to read a rule in it, so it is cut only if it needs more than a few rows. */
function labelRows(label: string, width: number): string[] {
  const rows = wrapped(label, Math.max(1, width))
  return rows.length <= MOST_LABEL_ROWS
    ? rows
    : [...rows.slice(0, MOST_LABEL_ROWS - 1), `${rows[MOST_LABEL_ROWS - 1]}…`]
}

/** A question with a few answers. The user chooses one by its key or with the arrows. */
export class QuestionPart implements Component, Focusable {
  readonly #question: Question
  readonly #options: QuestionOptions
  readonly #choices: readonly Choice[]
  readonly #text: PagedText
  readonly #input = new Input()
  #at = 0
  #typing: Choice | undefined
  /** False while the user is still typing something else, because those keys are not an answer. */
  armed = false

  constructor(question: Question, options: QuestionOptions) {
    this.#question = question
    this.#options = options
    this.#choices = choicesFor(question)
    const { theme, onAnswer } = options
    this.#text = new PagedText({ theme, lines: (width) => textOf(question, width, theme()) })
    this.#input.onSubmit = (text) => {
      if (this.#typing !== undefined) onAnswer(this.#typing.answer(text))
    }
    this.#input.onEscape = () => {
      this.#typing = undefined
    }
  }

  get focused(): boolean {
    return this.#input.focused
  }
  set focused(on: boolean) {
    this.#input.focused = on
  }

  /** True while the question has more lines than the screen has room for. */
  get hasPages(): boolean {
    return this.#text.hasPages
  }

  invalidate(): void {}

  handleInput(data: string): void {
    const { onAnswer, onCancel } = this.#options
    if (matchesKey(data, 'ctrl+c')) return onCancel()
    if (matchesKey(data, 'ctrl+o')) return this.#text.turn()
    if (matchesKey(data, 'pageDown')) return this.#text.forward()
    if (matchesKey(data, 'pageUp')) return this.#text.back()
    if (this.#typing !== undefined) return this.#input.handleInput(data)
    // Other calls of the agent may be waiting for their own answers.
    if (matchesKey(data, 'escape')) {
      const { kind } = this.#question
      if (kind === 'plan') return onAnswer({ kind: 'refused' })
      return kind === 'permission' ? onAnswer({ kind: 'tell', text: '' }) : onCancel()
    }
    if (matchesKey(data, 'end') || data === 'G') return this.#text.toEnd()
    if (matchesKey(data, 'home') || data === 'g') return this.#text.toStart()
    if (matchesKey(data, 'space')) return this.#text.forward()
    if (matchesKey(data, 'up') || matchesKey(data, 'shift+tab')) return this.#move(-1)
    if (matchesKey(data, 'down') || matchesKey(data, 'tab')) return this.#move(1)
    const chosen = matchesKey(data, 'enter') ? this.#choices[this.#at] : this.#byKey(data)
    if (chosen !== undefined && !this.#isLocked(chosen)) this.#choose(chosen)
  }

  render(width: number): string[] {
    const title = titleOf(this.#question, width, this.#options.theme())
    const answers = this.#answerLines(width)
    const rows = this.#options.rows(width) - title.length - 1 - answers.length
    const text = this.#text.render(width, rows)
    // Drawing the last page unlocks the answers, so they are rendered again.
    return [...title, ...text, this.#hint(width, rows), ...this.#answerLines(width)]
  }

  #answerLines(width: number): string[] {
    const { paint } = this.#options.theme()
    if (!this.armed) return [paint('  stop typing to answer', 'muted')]
    const typing = this.#typing
    if (typing !== undefined) {
      return [truncateToWidth(paint(typing.asks ?? '', 'muted'), width, '…'), ...this.#input.render(width)]
    }
    return this.#choices.flatMap((choice, i) => {
      const [first = '', ...more] = labelRows(choice.label, width - LABEL_COLUMN)
      const rows = [`${i === this.#at ? '›' : ' '} ${choice.key}  ${first}`, ...more.map((row) => LABEL_INDENT + row)]
      const tone = this.#isLocked(choice) ? 'muted' : i === this.#at ? 'accent' : 'plain'
      return rows.map((row) => truncateToWidth(paint(row, tone), width, '…'))
    })
  }

  #hint(width: number, rows: number): string {
    if (!this.armed || !this.#choices.some((choice) => this.#isLocked(choice))) return ''
    const how = rows < 1 ? '  Make the terminal larger to see it' : '  See its end to allow it: End or G'
    return truncateToWidth(this.#options.theme().paint(how, 'warning'), width, '…')
  }

  #isLocked(choice: Choice): boolean {
    return choice.needsReading === true && !this.#text.isRead
  }

  #byKey(data: string): Choice | undefined {
    return this.#choices.find(({ key }, i) => data === key || data === String(i + 1))
  }

  #choose(choice: Choice): void {
    if (choice.asks === undefined) this.#options.onAnswer(choice.answer(''))
    else this.#typing = choice
  }

  #move(by: number): void {
    const { length } = this.#choices
    this.#at = (this.#at + by + length) % length
  }
}
