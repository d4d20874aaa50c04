import type { Mode } from './mode.ts'
import { observe } from './observe.ts'

/** The modes by the names that users give. */
export const MODES: Readonly<Record<string, Mode>> = { observe }
