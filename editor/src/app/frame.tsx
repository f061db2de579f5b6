import { useSignal } from '@preact/signals'
import { Contrast, Languages, LogOut, Menu as MenuIcon } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEditor } from '../data/editor.ts'
import { theme } from '../data/theme.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { t } from '../words/words.ts'
import { MainMenu } from './main-menu.tsx'
import { NewVersion } from './new-version.tsx'
import './frame.css'

interface FrameProps {
  readonly children: ComponentChildren
  readonly onSignOut: () => void
  readonly onLocale: (locale: string) => void
}

/** Top bar, menu, and the one `main` around every screen. */
export function Frame({ children, onSignOut, onLocale }: FrameProps) {
  const isMenuOpen = useSignal(false)
  return (
    <div class="q-frame">
      <a class="q-skip" href="#content">
        {t.frame.skip}
      </a>
      <header class="q-top">
        <span class="q-top-menu">
          <Button
            kind="quiet"
            label={t.frame.menu}
            onPress={() => {
              isMenuOpen.value = !isMenuOpen.value
            }}
            attributes={{ 'aria-expanded': isMenuOpen.value, 'aria-controls': 'main-menu' }}
          >
            <Icon of={MenuIcon} />
          </Button>
        </span>
        <SiteLink />
        <div class="q-top-end">
          <LocaleMenu onLocale={onLocale} />
          <ThemeMenu />
          <Account onSignOut={onSignOut} />
        </div>
      </header>
      <nav id="main-menu" class={isMenuOpen.value ? 'q-nav q-nav--open' : 'q-nav'} aria-label={t.frame.main}>
        <MainMenu
          onChosen={() => {
            isMenuOpen.value = false
          }}
        />
      </nav>
      <main id="content" tabIndex={-1} class="q-main">
        <NewVersion />
        {children}
      </main>
    </div>
  )
}

function SiteLink() {
  const { link, place } = useEditor()
  return (
    <a class="q-top-site" href={link('/')}>
      {place.title}
    </a>
  )
}

function LocaleMenu({ onLocale }: { readonly onLocale: (locale: string) => void }) {
  const { schema, locale } = useEditor()
  const { locales } = schema.value.site
  if (Object.keys(locales).length < 2) return null
  return (
    <Menu
      label={t.frame.localeIs(locales[locale.value]?.label ?? locale.value)}
      kind="quiet"
      items={Object.entries(locales).map(([name, { label }]) => ({
        label,
        isChosen: name === locale.value,
        onChoose: () => onLocale(name),
      }))}
    >
      <Icon of={Languages} /> <span class="q-top-wide">{locales[locale.value]?.label}</span>
    </Menu>
  )
}

function ThemeMenu() {
  const names = { system: t.frame.themeSystem, light: t.frame.themeLight, dark: t.frame.themeDark }
  return (
    <Menu
      label={t.frame.theme}
      kind="quiet"
      items={(['system', 'light', 'dark'] as const).map((name) => ({
        label: names[name],
        isChosen: theme.value === name,
        onChoose: () => {
          theme.value = name
        },
      }))}
    >
      <Icon of={Contrast} />
    </Menu>
  )
}

function Account({ onSignOut }: { readonly onSignOut: () => void }) {
  const { caller } = useEditor().schema.value
  return (
    <>
      <span class="q-top-wide">{caller.title}</span>
      <Button kind="quiet" onPress={onSignOut}>
        <Icon of={LogOut} /> <span>{t.frame.signOut}</span>
      </Button>
    </>
  )
}
