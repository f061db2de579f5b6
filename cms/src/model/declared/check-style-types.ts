import type { Mistake } from './check-types.ts'
import type { InnerWidgetStyle, WidgetStyle } from './declared-styles.ts'

/** The options that the forms of a style field have which a declared one fits. */
type KnownOption<Style, Form> = Form extends unknown ? (Style extends Form ? keyof Form : never) : never

type CheckInner<Fields> = {
  readonly [Part in keyof Fields]: Part extends 'add'
    ? CheckStyleSet<Fields[Part], InnerWidgetStyle>
    : Mistake<'the fields of an object have no groups'>
}

type CheckStyleSet<Styles, Form> = {
  readonly [Name in keyof Styles]: Styles[Name] extends string
    ? unknown
    : {
        readonly [Option in keyof Styles[Name]]: Option extends KnownOption<Styles[Name], Form>
          ? Option extends 'fields'
            ? CheckInner<Styles[Name][Option]>
            : unknown
          : Mistake<`“${Option & string}” is not an option of this style field`>
      }
}

/** The style fields of a widget type as they should be: unknown options in any depth are mistakes. */
export type CheckWidgetStyles<Styles> = CheckStyleSet<Styles, WidgetStyle>
