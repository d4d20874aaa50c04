import type { Component } from '@earendil-works/pi-tui/dist/tui.js'

/** A part of the screen that is a function of its width. */
export class LinesPart implements Component {
  readonly render: (width: number) => string[]

  constructor(render: (width: number) => string[]) {
    this.render = render
  }

  invalidate(): void {}
}
