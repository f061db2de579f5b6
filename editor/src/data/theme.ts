import { effect, signal } from '@preact/signals'

const KEY = 'quire-theme'
const THEMES = ['system', 'light', 'dark'] as const

export type Theme = (typeof THEMES)[number]

/** The colours of the editor on this device. */
export const theme = signal<Theme>(THEMES.find((one) => one === localStorage.getItem(KEY)) ?? 'system')

/** Keeps the page in the colours that are chosen. */
export function applyTheme(): () => void {
  return effect(() => {
    localStorage.setItem(KEY, theme.value)
    document.documentElement.style.colorScheme = theme.value === 'system' ? '' : theme.value
  })
}
