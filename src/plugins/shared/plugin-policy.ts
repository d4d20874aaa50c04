import { loadConfig } from '../../config/read/load-config.ts'
import type { PolicyPatch } from '../../model/policy/policy.ts'

/** The policy for a folder from Pith's configuration, without that of a project that the user has not trusted. If the configuration cannot be read, it is the default policy, because an error must not stop the agent. */
export function pluginPolicy(folder: string): PolicyPatch {
  try {
    return loadConfig({ cwd: folder, unseen: true }).settings.policy
  } catch {
    return {}
  }
}
