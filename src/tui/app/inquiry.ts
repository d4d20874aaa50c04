import type { Component } from '@earendil-works/pi-tui/dist/tui.js'
import type { CommandContext } from '../commands/command.ts'
import type { Question } from '../port/port.ts'
import type { App, Later } from './app.ts'

/** The user counts as typing until this long after the last key. */
const PAUSE_MS = 500

type Part = InstanceType<Later['QuestionPart']>

/** Asks the user instead of showing the input: questions of the agent, lists to choose from, texts to edit. */
export class Inquiry {
  readonly #app: App
  #question: { readonly id: string; readonly part: Part } | undefined
  /** A list or an input of a command. */
  #asked: Component | undefined
  #edit: { readonly before: string; readonly done: (text: string | undefined) => void } | undefined
  #lastKeyAt = 0
  #arming: NodeJS.Timeout | undefined

  constructor(app: App) {
    this.#app = app
  }

  /** True while a question or a list receives the keys. */
  get isOpen(): boolean {
    return this.#asked !== undefined || this.#question?.part.armed === true
  }

  /** True while a question receives the keys that has more lines than fit the screen. */
  get hasPages(): boolean {
    const part = this.#question?.part
    return part?.armed === true && part.hasPages
  }

  get isEditing(): boolean {
    return this.#edit !== undefined
  }

  /** Shows the next question, if there is one. */
  update(): void {
    const [next] = this.#app.state.questions
    const { later } = this.#app
    if (later === undefined || next?.id === this.#question?.id) return
    clearTimeout(this.#arming)
    this.#question = next === undefined ? undefined : { id: next.id, part: this.#partFor(later, next) }
    this.#place()
    if (this.#question !== undefined) this.#arm()
  }

  /** Notes a key for the input. A question that comes up takes no keys until the user pauses. */
  typed(): void {
    this.#lastKeyAt = this.#app.now()
  }

  pick(list: Parameters<CommandContext['pick']>[0]): Promise<string | undefined> {
    return this.#askFor(
      ({ Picker }, done) =>
        new Picker({
          ...list,
          theme: this.#app.screen.theme,
          space: this.#app.screen.rowsForQuestion,
          onPick: done,
          onCancel: () => done(undefined),
        }),
    )
  }

  /** Lets the user type a secret, which is not drawn and not added to the history. */
  secret(title: string): Promise<string | undefined> {
    return this.#askFor(
      ({ SecretInput }, done) =>
        new SecretInput({ title, theme: this.#app.screen.theme, onEnter: done, onCancel: () => done(undefined) }),
    )
  }

  #askFor(part: (later: Later, done: (value: string | undefined) => void) => Component): Promise<string | undefined> {
    const { later } = this.#app
    if (later === undefined) return Promise.resolve(undefined)
    return new Promise((resolve) => {
      this.#asked = part(later, (value) => {
        this.#asked = undefined
        this.#place()
        resolve(value)
      })
      this.#place()
    })
  }

  /** Lets the user edit a text in the input. The former input comes back afterwards. */
  edit(title: string, text: string): Promise<string | undefined> {
    const { editor } = this.#app.screen
    return new Promise((resolve) => {
      const before = editor.getExpandedText()
      const done = (changed: string | undefined) => {
        this.#edit = undefined
        editor.setText(before)
        this.#app.screen.notice('')
        resolve(changed)
      }
      this.#edit = { before, done }
      editor.setText(text)
      this.#app.screen.notice(`Editing ${title}: Enter saves, Shift+Enter is a new line, Esc leaves it as it was`)
    })
  }

  /** Takes a submitted text if the user was editing one. Returns whether it did. */
  submitted(text: string): boolean {
    if (this.#edit === undefined) return false
    this.#edit.done(text)
    return true
  }

  cancelEdit(): void {
    this.#edit?.done(undefined)
  }

  #partFor(later: Later, question: Question): Part {
    const app = this.#app
    return new later.QuestionPart(question, {
      theme: app.screen.theme,
      rows: app.screen.rowsForQuestion,
      onAnswer: (answer) => void app.port?.answer(question.id, answer),
      // A question outside of a turn is put off, because there is nothing to interrupt.
      onCancel: () =>
        question.kind === 'trust' ? void app.port?.answer(question.id, { kind: 'later' }) : app.interrupt(),
    })
  }

  #arm(): void {
    const question = this.#question
    if (question === undefined) return
    const wait = this.#lastKeyAt + PAUSE_MS - this.#app.now()
    if (wait > 0) {
      this.#arming = setTimeout(() => this.#arm(), wait)
      return
    }
    question.part.armed = true
    this.#place()
  }

  #place(): void {
    const { screen } = this.#app
    const question = this.#question?.part
    if (question !== undefined) screen.ask(question, question.armed)
    else screen.ask(this.#asked)
  }
}
