//! Searches: the direct entry with a DFEN and limits, and searches that Java keeps.

use std::collections::HashMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use jni::ids::JFieldID;
use jni::objects::{JByteArray, JByteBuffer, JClass, JLongArray, JObject};
use jni::signature::{JavaType, Primitive};
use jni::sys::{jboolean, jint, jlong};
use jni::{Env, jni_sig, jni_str};
use once_cell::sync::Lazy;

use super::control::{JLongSupplier, UNLIMITED, with_control, with_time};
use super::encoding::{self, long_array};
use super::error::{BoundaryError, ThrowToJava};
use super::evaluator::{BufferPool, HostEvaluator, built_in};
use super::position::{read_color, read_dfen, read_position};
use crate::eval::{BuiltIn, Evaluator};
use crate::rules::Budget;
use crate::search::{
    Expectimax, ExpectimaxConfig, RootRescore, ScratchPool, SearchControl, TranspositionTable,
};

native! {
    static extern fn search(dfen_utf8: jbyte[], limits: dicechess.engine.search.SearchLimits, evaluator: jint,
        remaining_nanos: jlong) -> jlong[]
}
native! { static extern fn create_search(config: jlong[]) -> jlong }
native! { static extern fn close_search(search: jlong) }
native! { static extern fn clear_table(search: jlong) }
native! {
    type_map = { JLongSupplier => java.util.function.LongSupplier },
    static extern fn find_best_move(search: jlong, words: jlong[], seed: jlong, ranked: jboolean, control: jlong[],
        cancel_flag: JByteBuffer, clock: JLongSupplier, leaf: dicechess.engine.internal.BatchUpcall,
        pre_ranker: dicechess.engine.internal.BatchUpcall, rescore: dicechess.engine.internal.BatchUpcall)
        -> jlong[]
}
native! {
    type_map = { JLongSupplier => java.util.function.LongSupplier },
    static extern fn chance_value(search: jlong, words: jlong[], perspective: jint, control: jlong[],
        cancel_flag: JByteBuffer, clock: JLongSupplier, leaf: dicechess.engine.internal.BatchUpcall)
        -> jlong[]
}

/// Scratch of the direct entry. No built-in evaluator reads the clocks, so one pool serves them all.
pub(super) static DIRECT_SCRATCH: Lazy<Arc<ScratchPool>> = Lazy::new(Arc::default);

fn search<'l>(
    env: &mut Env<'l>,
    _class: JClass<'l>,
    dfen: JByteArray<'l>,
    limits: JObject<'l>,
    evaluator: jint,
    remaining_nanos: jlong,
) -> Result<JLongArray<'l>, BoundaryError> {
    let root = read_dfen(env, &dfen)?;
    let evaluator = built_in(evaluator)?;
    let limits = Limits::read(env, &limits)?;
    let config = ExpectimaxConfig {
        candidate_limit: count("candidateLimit", limits.candidate_limit.into())?,
        search_depth: depth(limits.search_depth.into())?,
        threads: count("threads", limits.threads.into())?,
        ..ExpectimaxConfig::default()
    };
    let work_budget = limits.work_budget;
    let budget = Budget::new(count("workBudget", work_budget)? as u64);
    let mut control = with_time(SearchControl::unbounded(), remaining_nanos);
    if work_budget != UNLIMITED {
        control = control.with_budget(&budget);
    }
    let search = Expectimax::new(config, &evaluator)?.with_scratch(Arc::clone(&DIRECT_SCRATCH));
    let result = search.find_best_move(&root, &control, limits.seed as u64)?;
    long_array(env, &encoding::search_result(&root, &result, &[])?)
}

/// What the direct entry reads of a `SearchLimits`.
struct Limits {
    work_budget: jlong,
    candidate_limit: jint,
    search_depth: jint,
    threads: jint,
    seed: jlong,
}

impl Limits {
    fn read(env: &mut Env<'_>, limits: &JObject<'_>) -> Result<Self, BoundaryError> {
        /// Kept without the class: it has the class loader of `NativeBridge`, without which this library is unloaded too.
        static FIELDS: OnceLock<[JFieldID; 5]> = OnceLock::new();
        if limits.is_null() {
            return Err(BoundaryError::illegal_argument("limits must not be null"));
        }
        let fields = match FIELDS.get() {
            Some(fields) => fields,
            None => {
                let class = env.get_object_class(limits)?;
                let fields = [
                    env.get_field_id(&class, jni_str!("workBudget"), jni_sig!(jlong))?,
                    env.get_field_id(&class, jni_str!("candidateLimit"), jni_sig!(jint))?,
                    env.get_field_id(&class, jni_str!("searchDepth"), jni_sig!(jint))?,
                    env.get_field_id(&class, jni_str!("threads"), jni_sig!(jint))?,
                    env.get_field_id(&class, jni_str!("seed"), jni_sig!(jlong))?,
                ];
                FIELDS.get_or_init(|| fields)
            }
        };
        let mut get = |field: usize, kind| {
            // SAFETY: the field is of the object's class, and of this type.
            unsafe { env.get_field_unchecked(limits, fields[field], JavaType::Primitive(kind)) }
        };
        Ok(Self {
            work_budget: get(0, Primitive::Long)?.j()?,
            candidate_limit: get(1, Primitive::Int)?.i()?,
            search_depth: get(2, Primitive::Int)?.i()?,
            threads: get(3, Primitive::Int)?.i()?,
            seed: get(4, Primitive::Long)?.j()?,
        })
    }
}

/// A search that Java keeps.
struct KeptSearch {
    config: ExpectimaxConfig,
    leaf: Source,
    pre_ranker: Option<Source>,
    rescore: Source,
    rescore_weight: f64,
    table: Option<TranspositionTable>,
    scratch: Arc<ScratchPool>,
    buffers: BufferPool,
}

/// Where the values of an evaluator come from.
#[derive(Clone, Copy)]
enum Source {
    BuiltIn(BuiltIn),
    /// An upcall that Java passes to each call.
    Host,
}

impl Source {
    /// Java's number of the host's evaluator.
    const HOST: jlong = -1;

    fn read(number: jlong) -> Result<Self, BoundaryError> {
        Ok(if number == Self::HOST { Self::Host } else { Self::BuiltIn(built_in(number as jint)?) })
    }
}

/// The searches that Java keeps, by the number it knows them by.
static SEARCHES: Lazy<RwLock<HashMap<jlong, Arc<KeptSearch>>>> = Lazy::new(RwLock::default);

fn kept(number: jlong) -> Result<Arc<KeptSearch>, BoundaryError> {
    let searches = SEARCHES.read().unwrap_or_else(PoisonError::into_inner);
    searches.get(&number).cloned().ok_or(BoundaryError::IllegalState("the search is closed"))
}

/// Where each part of a configuration stands in the array that carries it.
mod at {
    pub(super) const CANDIDATE_LIMIT: usize = 0;
    pub(super) const EXACT_ONLY: usize = 1;
    pub(super) const SEARCH_DEPTH: usize = 2;
    pub(super) const DISTINCT_CANDIDATES: usize = 3;
    pub(super) const REPLY_PROBES: usize = 4;
    pub(super) const LEAF: usize = 5;
    /// [`NO_PRE_RANKER`](super::NO_PRE_RANKER), or an evaluator.
    pub(super) const PRE_RANKER: usize = 6;
    pub(super) const RESCORE: usize = 7;
    /// The bits of a double.
    pub(super) const RESCORE_WEIGHT: usize = 8;
    /// 0 for no table.
    pub(super) const TABLE_CAPACITY: usize = 9;
    pub(super) const THREADS: usize = 10;
    pub(super) const LENGTH: usize = 11;
}

const NO_PRE_RANKER: jlong = -2;

fn create_search<'l>(
    env: &mut Env<'l>,
    _class: JClass<'l>,
    config: JLongArray<'l>,
) -> Result<jlong, BoundaryError> {
    let mut words = [0; at::LENGTH];
    config.get_region(env, 0, &mut words)?;
    let pre_ranker = words[at::PRE_RANKER];
    let capacity = count("tableCapacity", words[at::TABLE_CAPACITY])?;
    let search = KeptSearch {
        config: ExpectimaxConfig {
            candidate_limit: count("candidateLimit", words[at::CANDIDATE_LIMIT])?,
            exact_only: words[at::EXACT_ONLY] != 0,
            search_depth: depth(words[at::SEARCH_DEPTH])?,
            distinct_candidates: words[at::DISTINCT_CANDIDATES] != 0,
            reply_probes: words[at::REPLY_PROBES] != 0,
            threads: count("threads", words[at::THREADS])?,
        },
        leaf: Source::read(words[at::LEAF])?,
        pre_ranker: if pre_ranker == NO_PRE_RANKER { None } else { Some(Source::read(pre_ranker)?) },
        rescore: Source::read(words[at::RESCORE])?,
        rescore_weight: f64::from_bits(words[at::RESCORE_WEIGHT] as u64),
        table: if capacity == 0 { None } else { Some(TranspositionTable::try_new(capacity)?) },
        scratch: Arc::default(),
        buffers: BufferPool::default(),
    };
    let any = &BuiltIn::Material;
    Expectimax::new(search.config, any)?
        .with_root_rescore(RootRescore { evaluator: any, weight: search.rescore_weight })?;
    static NEXT: AtomicI64 = AtomicI64::new(1);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    SEARCHES.write().unwrap_or_else(PoisonError::into_inner).insert(number, Arc::new(search));
    Ok(number)
}

/// Forgets a search. One that is running ends as if it were not; its memory goes with it.
fn close_search<'l>(_env: &mut Env<'l>, _class: JClass<'l>, search: jlong) -> Result<(), BoundaryError> {
    let closed = SEARCHES.write().unwrap_or_else(PoisonError::into_inner).remove(&search);
    // The table is freed outside the lock.
    drop(closed);
    Ok(())
}

fn clear_table<'l>(_env: &mut Env<'l>, _class: JClass<'l>, search: jlong) -> Result<(), BoundaryError> {
    if let Some(table) = &kept(search)?.table {
        table.clear();
    }
    Ok(())
}

#[expect(clippy::too_many_arguments, reason = "primitives cross the boundary one by one")]
fn find_best_move<'l>(
    env: &mut Env<'l>,
    _class: JClass<'l>,
    search: jlong,
    words: JLongArray<'l>,
    seed: jlong,
    ranked: jboolean,
    control: JLongArray<'l>,
    cancel_flag: JByteBuffer<'l>,
    clock: JLongSupplier<'l>,
    leaf: JObject<'l>,
    pre_ranker: JObject<'l>,
    rescore: JObject<'l>,
) -> Result<JLongArray<'l>, BoundaryError> {
    let kept = kept(search)?;
    let root = read_position(env, &words)?;
    let upcalls = Upcalls {
        leaf: kept.host(env, &leaf)?,
        pre_ranker: kept.host(env, &pre_ranker)?,
        rescore: kept.host(env, &rescore)?,
    };
    let encoded = with_control(env, &control, &cancel_flag, &clock, |_, control| {
        let mut candidates = Vec::new();
        let result = kept.rooted(&upcalls).and_then(|search| {
            Ok(if ranked {
                search.rank_moves(&root, control, seed as u64, &mut candidates)?
            } else {
                search.find_best_move(&root, control, seed as u64)?
            })
        });
        rethrow(&[&upcalls.leaf, &upcalls.pre_ranker, &upcalls.rescore])?;
        encoding::search_result(&root, &result?, &candidates)
    })?;
    long_array(env, &encoded)
}

#[expect(clippy::too_many_arguments, reason = "primitives cross the boundary one by one")]
fn chance_value<'l>(
    env: &mut Env<'l>,
    _class: JClass<'l>,
    search: jlong,
    words: JLongArray<'l>,
    perspective: jint,
    control: JLongArray<'l>,
    cancel_flag: JByteBuffer<'l>,
    clock: JLongSupplier<'l>,
    leaf: JObject<'l>,
) -> Result<JLongArray<'l>, BoundaryError> {
    let kept = kept(search)?;
    let after_turn = read_position(env, &words)?;
    let perspective = read_color("perspective", perspective)?;
    let leaf = kept.host(env, &leaf)?;
    let encoded = with_control(env, &control, &cancel_flag, &clock, |_, control| {
        let result =
            kept.tree(&leaf).and_then(|search| Ok(search.chance_value(&after_turn, perspective, control)?));
        rethrow(&[&leaf])?;
        Ok(encoding::chance_result(&result?))
    })?;
    long_array(env, &encoded)
}

impl KeptSearch {
    /// The host's evaluator behind an upcall, for one call; `None` when Java passes none.
    fn host(
        &self,
        env: &mut Env<'_>,
        upcall: &JObject<'_>,
    ) -> Result<Option<HostEvaluator<'_>>, BoundaryError> {
        if upcall.is_null() { Ok(None) } else { Ok(Some(HostEvaluator::new(env, upcall, &self.buffers)?)) }
    }

    /// The search below the root, with its leaf evaluator for one call.
    fn tree<'a>(&'a self, leaf: &'a Option<HostEvaluator<'_>>) -> Result<Expectimax<'a>, BoundaryError> {
        let search = Expectimax::new(self.config, evaluator(&self.leaf, leaf)?)?
            .with_scratch(Arc::clone(&self.scratch));
        match &self.table {
            None => Ok(search),
            Some(table) => Ok(search.with_table(table)?),
        }
    }

    /// The search with all its evaluators for one call.
    fn rooted<'a>(&'a self, upcalls: &'a Upcalls<'_>) -> Result<Expectimax<'a>, BoundaryError> {
        let pre_ranker = match &self.pre_ranker {
            None => None,
            Some(source) => Some(evaluator(source, &upcalls.pre_ranker)?),
        };
        let rescore = RootRescore {
            evaluator: evaluator(&self.rescore, &upcalls.rescore)?,
            weight: self.rescore_weight,
        };
        Ok(self.tree(&upcalls.leaf)?.with_pre_ranker(pre_ranker).with_root_rescore(rescore)?)
    }
}

/// The host's evaluators of one call.
struct Upcalls<'a> {
    leaf: Option<HostEvaluator<'a>>,
    pre_ranker: Option<HostEvaluator<'a>>,
    rescore: Option<HostEvaluator<'a>>,
}

/// Where an evaluator has failed, that is why the search ended.
fn rethrow(evaluators: &[&Option<HostEvaluator<'_>>]) -> Result<(), BoundaryError> {
    match evaluators.iter().copied().flatten().find_map(HostEvaluator::take_failure) {
        Some(failure) => Err(failure),
        None => Ok(()),
    }
}

fn evaluator<'a>(
    source: &'a Source,
    upcall: &'a Option<HostEvaluator<'_>>,
) -> Result<&'a dyn Evaluator, BoundaryError> {
    match (source, upcall) {
        (Source::BuiltIn(built_in), _) => Ok(built_in),
        (Source::Host, Some(host)) => Ok(host),
        (Source::Host, None) => Err(BoundaryError::illegal_argument("the host's evaluator is missing")),
    }
}

fn count(name: &str, value: jlong) -> Result<usize, BoundaryError> {
    usize::try_from(value)
        .map_err(|_| BoundaryError::illegal_argument(format!("{name} must not be negative: {value}")))
}

/// Depths too large for the search's type are too large for the search.
fn depth(value: jlong) -> Result<u32, BoundaryError> {
    Ok(u32::try_from(count("searchDepth", value)?).unwrap_or(u32::MAX))
}
