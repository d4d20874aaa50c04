import type { View } from '../../model/view.ts'

/** True when the view may be cut before `index` without breaking the rule. */
export type CutRule = (view: View) => (index: number) => boolean
