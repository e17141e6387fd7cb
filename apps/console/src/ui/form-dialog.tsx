import {
  Button,
  Modal,
  NativeSelect,
  NumberInput,
  PasswordInput,
  Stack,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { Fragment, useState, type ReactNode } from 'react';
import { problemOf } from '../api/problem';
import { useT } from '../text/text';
import { FormEnd } from './form-end';

export interface Field {
  /** As in the request's body, so that the API's rule is shown at the field. */
  readonly name: string;
  readonly label: string;
  readonly kind?: 'text' | 'lines' | 'secret' | 'number' | 'choice';
  readonly description?: string;
  readonly placeholder?: string;
  readonly initial?: string;
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  /** Of a number. Typed values outside are moved to the nearest end. */
  readonly min?: number;
  readonly max?: number;
}

/** An input of another kind, whose value the caller keeps, and resets in `onClose`. */
interface OwnInput {
  readonly name: string;
  readonly input: ReactNode;
}

interface FormDialogProps<T> {
  /** Title of the dialog and text of the button that opens it. */
  readonly title: string;
  readonly about?: string;
  readonly fields: readonly (Field | OwnInput)[];
  readonly run: (values: Readonly<Record<string, string>>) => Promise<T>;
  /** Shown instead of the form afterwards; without it the dialog closes. */
  readonly done?: (answer: T, close: () => void) => ReactNode;
  readonly onClose?: () => void;
  readonly compact?: boolean;
  /** The main action of its page. */
  readonly primary?: boolean;
  /** The button cannot open it. A dialog that is open stays open. */
  readonly disabled?: boolean;
  /** Text of the button that sends it. Default: Create. */
  readonly action?: string;
}

/** A button that opens a form with a few fields. */
export const FormDialog = <T,>(props: FormDialogProps<T>) => {
  const {
    title,
    about,
    fields,
    run,
    done,
    onClose,
    compact = false,
    primary = false,
    disabled = false,
    action,
  } = props;
  const t = useT();
  const [opened, { open, close }] = useDisclosure();
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  const valueOf = ({ name, initial, choices }: Field): string => typed[name] ?? initial ?? choices?.[0]?.value ?? '';
  const sending = useMutation({
    mutationFn: () =>
      run(Object.fromEntries(fields.flatMap((field) => ('input' in field ? [] : [[field.name, valueOf(field)]])))),
    onSuccess: () => {
      if (done === undefined) end();
    },
  });
  const end = (): void => {
    close();
    setTyped({});
    sending.reset();
    onClose?.();
  };
  const inputOf = (field: Field | OwnInput, index: number): ReactNode => {
    if ('input' in field) return <Fragment key={field.name}>{field.input}</Fragment>;
    const { name, label, description, placeholder, kind = 'text' } = field;
    const common = {
      label,
      ...(description === undefined ? {} : { description }),
      ...(placeholder === undefined ? {} : { placeholder }),
      value: valueOf(field),
      error: problemOf(sending.error)?.ruleFor(name) ?? null,
      ...(index === 0 ? { 'data-autofocus': true } : {}),
    };
    const set = (value: string): void => setTyped({ ...typed, [name]: value });
    if (kind === 'number') {
      const { min, max } = field;
      const range = { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) };
      return <NumberInput key={name} {...common} {...range} onChange={(value) => set(String(value))} hideControls />;
    }
    const onChange = (event: { readonly currentTarget: { readonly value: string } }): void =>
      set(event.currentTarget.value);
    if (kind === 'choice')
      return <NativeSelect key={name} {...common} onChange={onChange} data={[...(field.choices ?? [])]} />;
    if (kind === 'lines') return <Textarea key={name} {...common} onChange={onChange} autosize minRows={3} />;
    if (kind === 'text') return <TextInput key={name} {...common} onChange={onChange} autoComplete="off" />;
    const toggle = { 'aria-label': t('showKey'), tabIndex: 0 };
    return (
      <PasswordInput
        key={name}
        {...common}
        onChange={onChange}
        autoComplete="off"
        visibilityToggleButtonProps={toggle}
      />
    );
  };
  return (
    <>
      <Button
        variant={primary ? 'filled' : 'default'}
        onClick={open}
        disabled={disabled}
        {...(compact ? { size: 'compact-sm' } : {})}
      >
        {title}
      </Button>
      <Modal opened={opened} onClose={end} title={title} closeButtonProps={{ 'aria-label': t('close') }}>
        {sending.isSuccess && done !== undefined ? (
          done(sending.data, end)
        ) : (
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              sending.mutate();
            }}
          >
            <Stack>
              {about !== undefined && <Text size="sm">{about}</Text>}
              {fields.map(inputOf)}
              <FormEnd creating={sending} onCancel={end} {...(action === undefined ? {} : { action })} />
            </Stack>
          </form>
        )}
      </Modal>
    </>
  );
};
