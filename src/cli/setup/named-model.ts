import type { ChatModel } from '../../llm/call/chat-model.ts'
import { chooseModel, NO_MODEL, withLocalWindow } from '../../llm/choose-model.ts'
import { noModel, type OpenModelDeps, openModel } from '../../llm/open-model.ts'

/** The named model, or the first usable one when none is named. `missing` says what to set. */
export async function openNamedModel(
  name: string | undefined,
  models: OpenModelDeps,
): Promise<{ readonly model: ChatModel; readonly missing?: string }> {
  const wanted = name ?? (await chooseModel(models))
  if (wanted === undefined) return { model: noModel(NO_MODEL), missing: NO_MODEL }
  const opened = openModel(wanted, await withLocalWindow(wanted, models))
  if ('unusable' in opened) return { model: noModel(opened.text), missing: opened.text }
  return { model: opened }
}
