import { useEditor } from './editor.ts'

/** The language and direction of the content, as attributes of what shows it. */
export function useLanguage(): { readonly lang: string; readonly dir: 'ltr' | 'rtl' } {
  const { schema, locale } = useEditor()
  return { lang: locale.value, dir: schema.value.site.locales[locale.value]?.direction ?? 'ltr' }
}
