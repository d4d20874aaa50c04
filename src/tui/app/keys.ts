import { isKeyRelease, matchesKey } from '@earendil-works/pi-tui/dist/keys.js'
import type { App } from './app.ts'

const AGAIN_MS = 1_500

/** The keys that work wherever the cursor is. */
export class Keys {
  readonly #app: App
  readonly #suspend: () => void
  #escapeAt = Number.NEGATIVE_INFINITY
  #quitAt = Number.NEGATIVE_INFINITY

  constructor(app: App, suspend: () => void) {
    this.#app = app
    this.#suspend = suspend
  }

  /** Returns true when it has handled the key. */
  handle(data: string): boolean {
    if (isKeyRelease(data)) return false
    const app = this.#app
    if (matchesKey(data, 'ctrl+z')) return done(this.#suspend)
    if (matchesKey(data, 'ctrl+c')) return this.#clearOrQuit()
    this.#forgetQuit()
    if (matchesKey(data, 'ctrl+o') && !app.inquiry.hasPages) return done(() => this.#unfold())
    if (app.inquiry.isOpen) return false
    if (matchesKey(data, 'shift+tab')) return done(() => void app.port?.think('next'))
    app.inquiry.typed()
    if (matchesKey(data, 'escape')) return this.#escape()
    if (matchesKey(data, 'tab') && this.#queues()) return true
    return this.#onEmptyInput(data)
  }

  /** Opens a paste in the input; without one it folds or unfolds the transcript. */
  #unfold(): void {
    const { screen, inquiry } = this.#app
    if (inquiry.isOpen || !screen.editor.hasFoldedPaste) return this.#app.dispatch({ type: 'fold' })
    screen.editor.openPastes()
    screen.tui.requestRender()
  }

  /** While the agent works, a message can be left for after its turn. */
  #queues(): boolean {
    const { state, screen } = this.#app
    const text = screen.editor.getExpandedText().trim()
    if (text === '' || state.activity.kind !== 'replying' || screen.editor.isShowingAutocomplete()) return false
    screen.editor.setText('')
    this.#app.enqueue(text)
    return true
  }

  #onEmptyInput(data: string): boolean {
    const { state, screen } = this.#app
    if (screen.editor.getText() !== '') return false
    if (matchesKey(data, 'ctrl+d')) return done(this.#app.quit)
    if (matchesKey(data, 'tab') && state.firstRun) return done(() => this.#app.submit('/example'))
    if (matchesKey(data, 'up') && state.queue.length > 0) return done(() => this.#takeBack())
    return false
  }

  /** Moves the newest queued message back into the input. */
  #takeBack(): void {
    const { state, screen } = this.#app
    screen.editor.setText(state.queue.at(-1) ?? '')
    this.#app.setQueue(state.queue.slice(0, -1))
  }

  #escape(): boolean {
    const app = this.#app
    const { editor } = app.screen
    if (app.state.activity.kind === 'compacting') return done(() => app.interrupt())
    if (editor.isShowingAutocomplete()) return false
    if (app.inquiry.isEditing) return done(() => app.inquiry.cancelEdit())
    if (app.state.activity.kind === 'replying') return done(() => app.interrupt())
    if (editor.getText() !== '' || app.isBusy) return false
    const isAgain = app.now() - this.#escapeAt < AGAIN_MS
    this.#escapeAt = isAgain ? Number.NEGATIVE_INFINITY : app.now()
    if (isAgain) app.submit('/rewind')
    return true
  }

  #clearOrQuit(): boolean {
    const { screen, now, quit, inquiry } = this.#app
    if (inquiry.isOpen) return false
    const text = screen.editor.getExpandedText()
    if (this.#app.state.activity.kind !== 'idle' && now() - this.#quitAt >= AGAIN_MS) {
      this.#quitAt = now()
      this.#app.interrupt()
      screen.notice('Interrupted. Press Ctrl+C again to quit')
    } else if (text !== '') {
      // The arrow key brings back a text that was cleared by mistake.
      screen.editor.addToHistory(text)
      screen.editor.setText('')
      screen.tui.requestRender()
    } else if (now() - this.#quitAt < AGAIN_MS) quit()
    else {
      this.#quitAt = now()
      screen.notice('Press Ctrl+C again to quit')
    }
    return true
  }

  #forgetQuit(): void {
    if (this.#quitAt === Number.NEGATIVE_INFINITY) return
    this.#quitAt = Number.NEGATIVE_INFINITY
    if (!this.#app.inquiry.isEditing) this.#app.screen.notice('')
  }
}

function done(act: () => void): boolean {
  act()
  return true
}
