//! Reading the declarations of one file.

use syn::spanned::Spanned;

use crate::attributes::{check, derives_default, documentation, marked_default, only_for_tests};
use crate::body::{Body, Position};
use crate::context::Context;
use crate::core::{Field, File, Function, Given, Item, ItemKind, Parameter, Variant};
use crate::globals::{Entity, Globals, Imports};
use crate::imports;
use crate::modules::Module;
use crate::names;
use crate::primitives::{GivenModule, Rest, given_module};
use crate::refusal::{Place, Translated};
use crate::scalar_field;
use crate::types::Type;

/// Reads one file.
#[derive(Debug)]
pub struct ModuleReader<'a> {
    globals: &'a mut Globals,
    file: &'a str,
    module: &'a str,
    imports: Imports,
    treatment: Option<&'static GivenModule>,
    scalar_module: Option<String>,
    items: Vec<Item>,
}

impl<'a> ModuleReader<'a> {
    /// Reads the file of a module, and adds what it declares to what is declared.
    pub fn read(globals: &'a mut Globals, file: &'a str, module: &'a Module, syntax: &syn::File) -> Translated<File> {
        check(file, syntax)?;
        let name = module.name.as_str();
        let treatment = given_module(name);
        let imports = Imports::default();
        let mut reader =
            Self { globals, file, module: name, imports, treatment, scalar_module: None, items: Vec::new() };
        for item in &syntax.items {
            reader.read_item(item)?;
        }
        let imported = reader.globals.modules().iter().filter(|known| reader.imports.reach(&known.name));
        let imported = imported.cloned().collect();
        Ok(File {
            module: module.clone(),
            documentation: documentation(&syntax.attrs),
            imports: imported,
            scalars: reader.items.iter().any(|item| matches!(item.kind, ItemKind::ScalarField(_))),
            givens: Vec::new(),
            items: reader.items,
        })
    }

    fn place(&self, spanned: &impl Spanned) -> Place {
        Place::of(self.file, spanned.span())
    }

    fn context(&self) -> Context<'_> {
        Context { globals: self.globals, file: self.file, module: self.module, imports: &self.imports }
    }

    fn read_item(&mut self, item: &syn::Item) -> Translated<()> {
        let place = self.place(item);
        match item {
            syn::Item::Use(found) => self.read_use(found),
            syn::Item::Mod(found) => self.read_module(found),
            syn::Item::Macro(found) => self.read_scalar_field(&found.mac, &found.attrs),
            syn::Item::Const(found) if found.ident == "_" => self.check_compile_time_assertion(found),
            syn::Item::Const(found) if !self.leaves_out(&found.ident) => self.read_constant(found),
            syn::Item::Type(found) if !self.leaves_out(&found.ident) => self.read_alias(found),
            syn::Item::Struct(found) if !self.leaves_out(&found.ident) => self.read_struct(found),
            syn::Item::Enum(found) if !self.leaves_out(&found.ident) => self.read_enum(found),
            syn::Item::Fn(found) if self.is_given(&found.sig.ident) => self.read_given(found),
            syn::Item::Fn(found) if !self.leaves_out(&found.sig.ident) => self.read_function(found),
            syn::Item::Const(syn::ItemConst { ident, .. })
            | syn::Item::Type(syn::ItemType { ident, .. })
            | syn::Item::Struct(syn::ItemStruct { ident, .. })
            | syn::Item::Enum(syn::ItemEnum { ident, .. })
            | syn::Item::Fn(syn::ItemFn { sig: syn::Signature { ident, .. }, .. }) => self.leave_out(ident),
            syn::Item::Impl(_) => place.refuse("an `impl`"),
            syn::Item::Trait(_) | syn::Item::TraitAlias(_) => place.refuse("a trait"),
            syn::Item::Static(_) => place.refuse("a `static`"),
            syn::Item::Union(_) => place.refuse("a union"),
            syn::Item::ExternCrate(_) | syn::Item::ForeignMod(_) => place.refuse("something from outside"),
            _ => place.refuse("a declaration that is not understood"),
        }
    }

    fn read_use(&mut self, found: &syn::ItemUse) -> Translated<()> {
        if let (syn::UseTree::Path(root), Some(module)) = (&found.tree, &self.scalar_module)
            && root.ident == module
        {
            return Ok(());
        }
        imports::read(self.file, self.globals, found, &mut self.imports)
    }

    fn read_module(&mut self, found: &syn::ItemMod) -> Translated<()> {
        if only_for_tests(&found.attrs) {
            return Ok(());
        }
        let place = self.place(found);
        let Some((_, content)) = &found.content else { return place.refuse("a module in another file") };
        for item in content {
            match item {
                syn::Item::Use(_) => {}
                syn::Item::Macro(inner) => self.read_scalar_field(&inner.mac, &found.attrs)?,
                _ => return place.refuse("a module inside a file, other than for `public_nat_mod!`"),
            }
        }
        self.scalar_module = Some(found.ident.to_string());
        Ok(())
    }

    fn read_scalar_field(&mut self, found: &syn::Macro, attributes: &[syn::Attribute]) -> Translated<()> {
        let place = self.place(found);
        let modulus = scalar_field::read(&place, found)?;
        self.globals.declare(
            &place,
            self.module,
            "Scalar",
            "Scalar_modulus",
            "the scalar field",
            Entity::ScalarField,
        )?;
        self.add(documentation(attributes), "Scalar_modulus", ItemKind::ScalarField(modulus));
        Ok(())
    }

    /// `const _: () = assert!(..)`: rustc evaluates it, and it means nothing at run time.
    fn check_compile_time_assertion(&self, found: &syn::ItemConst) -> Translated<()> {
        match found.expr.as_ref() {
            syn::Expr::Macro(call) if call.mac.path.is_ident("assert") => Ok(()),
            _ => self.place(found).refuse("a constant without a name that is not an assertion"),
        }
    }

    fn read_constant(&mut self, found: &syn::ItemConst) -> Translated<()> {
        let place = self.place(&found.ident);
        self.refuse_generics(&found.generics)?;
        let name = names::coq_name(&place, &found.ident)?;
        let kind = self.context().read_type(&found.ty)?;
        let mut body = Body::new(self.context(), kind.clone());
        let (value, value_kind) = body.read(&found.expr, Position::Inner)?;
        body.inference.unify(&place, &kind, &value_kind)?;
        let value = body.finish(value)?;
        let entity = Entity::Constant(kind.clone());
        self.declare(&place, &found.ident, &name, "the constant", entity)?;
        self.add(documentation(&found.attrs), &name, ItemKind::Constant(kind, value));
        Ok(())
    }

    fn read_alias(&mut self, found: &syn::ItemType) -> Translated<()> {
        let place = self.place(&found.ident);
        self.refuse_generics(&found.generics)?;
        let name = names::coq_name(&place, &found.ident)?;
        let target = self.context().read_type(&found.ty)?;
        self.declare(&place, &found.ident, &name, "the type", Entity::Alias(target.clone()))?;
        self.add(documentation(&found.attrs), &name, ItemKind::Alias(target));
        Ok(())
    }

    fn read_struct(&mut self, found: &syn::ItemStruct) -> Translated<()> {
        let place = self.place(&found.ident);
        self.refuse_generics(&found.generics)?;
        let name = names::coq_name(&place, &found.ident)?;
        let syn::Fields::Named(given) = &found.fields else {
            return place.refuse("a struct without named fields");
        };
        let mut fields = Vec::new();
        let mut known = Vec::new();
        for field in &given.named {
            let field_place = self.place(field);
            let Some(ident) = &field.ident else { return field_place.refuse("a field without a name") };
            let field_name = names::coq_name(&field_place, ident)?;
            let kind = self.context().read_type(&field.ty)?;
            self.globals.declare_field(&field_place, &field_name, &name)?;
            known.push((ident.to_string(), field_name.clone(), kind.clone()));
            fields.push(Field { documentation: documentation(&field.attrs), name: field_name, kind });
        }
        if fields.is_empty() {
            return place.refuse("a struct without fields");
        }
        self.declare(&place, &found.ident, &name, "the type", Entity::Struct(known))?;
        self.add(documentation(&found.attrs), &name, ItemKind::Struct(fields, derives_default(&found.attrs)));
        Ok(())
    }

    fn read_enum(&mut self, found: &syn::ItemEnum) -> Translated<()> {
        let place = self.place(&found.ident);
        self.refuse_generics(&found.generics)?;
        let name = names::coq_name(&place, &found.ident)?;
        refuse_lower_case(&place, &found.ident)?;
        let mut variants = Vec::new();
        let mut known = Vec::new();
        let mut default = None;
        for variant in &found.variants {
            let variant_place = self.place(variant);
            refuse_lower_case(&variant_place, &variant.ident)?;
            if variant.discriminant.is_some() {
                return variant_place.refuse("a variant with a number of its own");
            }
            let fields: Vec<Type> = match &variant.fields {
                syn::Fields::Unit => Vec::new(),
                syn::Fields::Unnamed(fields) => {
                    fields.unnamed.iter().map(|field| self.context().read_type(&field.ty)).collect::<Translated<_>>()?
                }
                syn::Fields::Named(_) => return variant_place.refuse("a variant with named fields"),
            };
            let coq_name = format!("{name}_{}", names::coq_name(&variant_place, &variant.ident)?);
            self.globals.claim_coq_name(&variant_place, &coq_name, "the variant")?;
            if marked_default(&variant.attrs) {
                default = Some(coq_name.clone());
            }
            known.push((variant.ident.to_string(), coq_name.clone(), fields.clone()));
            variants.push(Variant { documentation: documentation(&variant.attrs), name: coq_name, fields });
        }
        self.declare(&place, &found.ident, &name, "the type", Entity::Enum(known))?;
        self.add(documentation(&found.attrs), &name, ItemKind::Enum(variants, default));
        Ok(())
    }

    fn read_function(&mut self, found: &syn::ItemFn) -> Translated<()> {
        let place = self.place(&found.sig.ident);
        let name = names::coq_name(&place, &found.sig.ident)?;
        let (function, kinds) = self.read_signature_and_body(found)?;
        let entity = Entity::Function(kinds, function.result.clone());
        self.declare(&place, &found.sig.ident, &name, "the function", entity)?;
        self.globals.claim_coq_name(&place, &format!("{name}_safe"), "the twin of the function")?;
        self.add(documentation(&found.attrs), &name, ItemKind::Function(function));
        Ok(())
    }

    fn read_signature_and_body(&self, found: &syn::ItemFn) -> Translated<(Function, Vec<Type>)> {
        let mut body = Body::new(self.context(), Type::Unit);
        let parameters = self.read_signature(&found.sig, &mut body)?;
        let value = body.read_function_body(&found.block)?;
        let kinds = parameters.iter().map(|parameter| parameter.kind.clone()).collect();
        Ok((Function { parameters, result: body.result.clone(), body: value }, kinds))
    }

    fn read_signature(&self, signature: &syn::Signature, body: &mut Body<'_>) -> Translated<Vec<Parameter>> {
        let place = self.place(signature);
        if signature.constness.is_some()
            || signature.asyncness.is_some()
            || signature.unsafety.is_some()
            || signature.abi.is_some()
            || signature.variadic.is_some()
        {
            return place.refuse("a function that is `const`, `async`, `unsafe`, `extern` or variadic");
        }
        self.refuse_generics(&signature.generics)?;
        body.result = match &signature.output {
            syn::ReturnType::Type(_, kind) => self.context().read_type(kind)?,
            syn::ReturnType::Default => return place.refuse("a function without a result"),
        };
        let mut parameters = Vec::new();
        for input in &signature.inputs {
            let input_place = self.place(input);
            let syn::FnArg::Typed(typed) = input else { return input_place.refuse("`self`") };
            let kind = self.context().read_type(&typed.ty)?;
            let name = match typed.pat.as_ref() {
                syn::Pat::Ident(ident) if ident.mutability.is_none() && ident.by_ref.is_none() => {
                    body.declare_local(&input_place, &ident.ident, kind.clone(), false)?
                }
                _ => return input_place.refuse("a parameter that is not a plain name"),
            };
            parameters.push(Parameter { name, kind });
        }
        Ok(parameters)
    }

    fn is_given(&self, ident: &syn::Ident) -> bool {
        self.treatment.is_some_and(|treatment| treatment.given.iter().any(|name| ident == name))
    }

    fn leaves_out(&self, ident: &syn::Ident) -> bool {
        match self.treatment.map(|treatment| treatment.rest) {
            Some(Rest::LeftOutUnless(beginning)) => !ident.to_string().starts_with(beginning),
            Some(Rest::LeftOut(names)) => names.iter().any(|name| ident == name),
            Some(Rest::Translated) | None => false,
        }
    }

    fn leave_out(&mut self, ident: &syn::Ident) -> Translated<()> {
        let name = ident.to_string();
        self.globals.declare(&self.place(ident), self.module, &name, &name, "what is left out,", Entity::LeftOut)?;
        if let Some(Item { kind: ItemKind::LeftOut(names), .. }) = self.items.last_mut() {
            names.push(name);
        } else {
            self.add(Vec::new(), "", ItemKind::LeftOut(vec![name]));
        }
        Ok(())
    }

    /// A given function becomes a member of the module's type class, which stands where the first
    /// of them stands.
    fn read_given(&mut self, found: &syn::ItemFn) -> Translated<()> {
        let place = self.place(&found.sig.ident);
        let name = names::coq_name(&place, &found.sig.ident)?;
        let with_body = self.treatment.is_some_and(|treatment| treatment.with_bodies);
        let mut reader = Body::new(self.context(), Type::Unit);
        let parameters = self.read_signature(&found.sig, &mut reader)?;
        let body = if with_body { Some(reader.read_function_body(&found.block)?) } else { None };
        let result = reader.result;
        let kinds = parameters.iter().map(|parameter| parameter.kind.clone()).collect();
        self.declare(&place, &found.sig.ident, &name, "the given function", Entity::Function(kinds, result.clone()))?;
        let given = Given { documentation: documentation(&found.attrs), name, parameters, result, body };
        for item in &mut self.items {
            if let ItemKind::Givens(givens) = &mut item.kind {
                givens.push(given);
                return Ok(());
            }
        }
        let class = format!("{}Given", names::file_stem(self.module));
        self.globals.claim_coq_name(&place, &class, "the class of given functions")?;
        self.add(Vec::new(), &class, ItemKind::Givens(vec![given]));
        Ok(())
    }

    fn refuse_generics(&self, generics: &syn::Generics) -> Translated<()> {
        if generics.params.is_empty() && generics.where_clause.is_none() {
            Ok(())
        } else {
            self.place(generics).refuse("type parameters or lifetimes")
        }
    }

    fn declare(&mut self, place: &Place, ident: &syn::Ident, name: &str, what: &str, entity: Entity) -> Translated<()> {
        self.globals.declare(place, self.module, &ident.to_string(), name, what, entity)
    }

    fn add(&mut self, documentation: Vec<String>, name: &str, kind: ItemKind) {
        self.items.push(Item { documentation, name: name.to_owned(), kind });
    }
}

/// Constructors begin in upper case: a pattern `color_red` would otherwise be a variable in Rust
/// and, in Coq, the variant `red` of the enum `color`.
fn refuse_lower_case(place: &Place, ident: &syn::Ident) -> Translated<()> {
    if ident.to_string().starts_with(char::is_uppercase) {
        return Ok(());
    }
    place.refuse(format!("`{ident}`: an enum or a variant that does not begin in upper case"))
}
