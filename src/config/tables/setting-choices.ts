// The values of settings that accept one of a few words. They are not in the schemas, so that `--help` lists them without loading zod.

export const SANDBOX_CHOICES = ['on', 'no-network', 'off'] as const
export const PERMISSION_CHOICES = ['ask', 'auto-edit', 'full'] as const
export const THEME_CHOICES = ['dark', 'light', 'none', 'auto'] as const
